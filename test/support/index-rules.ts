/** Changes the version of the name rules that an index records. */
import type { ElasticsearchStore } from "../../api/shared/stores/elasticsearch/elasticsearch.ts";
import type { IndexName } from "../../api/shared/definitions/define-index.ts";
import { findIndex } from "../../index-mappings/index.ts";
import type { TestRegister } from "./register.ts";

/** Creates an index that records another version of the rules, or with undefined, none. Returns its name. */
export async function createUnderRules(
  elasticsearch: ElasticsearchStore,
  name: IndexName,
  version: number | undefined,
): Promise<string> {
  const definition = findIndex(name);
  const mappings = { ...definition.mappings, _meta: version === undefined ? {} : { names_version: version } };
  const created = await elasticsearch.createIndex({ ...definition, mappings }, new Date());
  return created ?? "there was one";
}

/** Makes the live index record this version of the rules. */
export async function recordRules(
  { config }: Pick<TestRegister, "config">,
  name: IndexName,
  version: number,
): Promise<void> {
  const response = await fetch(`${config.ELASTICSEARCH_URL}/${config.INDEX_PREFIX}${name}/_mapping`, {
    method: "PUT",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ _meta: { names_version: version } }),
  });
  if (!response.ok) throw new Error(`the rules cannot be recorded: ${await response.text()}`);
}
