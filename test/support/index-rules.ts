/** Makes indices that record another version of the name rules. */
import type { ElasticsearchStore } from "../../api/shared/stores/elasticsearch/elasticsearch.ts";
import type { IndexName } from "../../api/shared/definitions/define-index.ts";
import { findIndex } from "../../index-mappings/index.ts";
import { askElasticsearch } from "./doctor.ts";
import type { TestRegister } from "./register.ts";

/** Creates an index that records this version of the rules (undefined: none). Returns its name; throws if it exists. */
export async function createUnderRules(
  elasticsearch: ElasticsearchStore,
  name: IndexName,
  version: number | undefined,
): Promise<string> {
  const definition = findIndex(name);
  const mappings = { ...definition.mappings, _meta: version === undefined ? {} : { names_version: version } };
  const created = await elasticsearch.createIndex({ ...definition, mappings }, new Date());
  if (created === null) throw new Error(`there is an index of ${name} already`);
  return created;
}

/** Makes the live index record this version of the rules. */
export async function recordRules(
  { config }: Pick<TestRegister, "config">,
  name: IndexName,
  version: number,
): Promise<void> {
  const path = `${config.INDEX_PREFIX}${name}/_mapping`;
  await askElasticsearch(config, "PUT", path, { _meta: { names_version: version } });
}
