/**
 * Entry of the stand-ins for MongoDB and Elasticsearch that count what they receive and drop it. It prints their
 * addresses on 127.0.0.1, and a third address that returns the counts.
 */
import { createServer } from "node:http";
import type { AddressInfo, Server } from "node:net";
import { createCountingElasticsearch } from "./counting-elasticsearch.ts";
import { createCountingMongo } from "./counting-mongo.ts";

const HOST = "127.0.0.1";

const mongo = createCountingMongo();
const elasticsearch = createCountingElasticsearch();
const counts = createServer((_request, response) => {
  response.end(JSON.stringify({ records: mongo.count(), documents: elasticsearch.count() }));
});
const addresses = {
  mongodb: `mongodb://${await listen(mongo.server)}/`,
  elasticsearch: `http://${await listen(elasticsearch.server)}`,
  counts: `http://${await listen(counts)}`,
};
process.stdout.write(`${JSON.stringify(addresses)}\n`);
process.on("SIGTERM", () => process.exit());

function listen(server: Server): Promise<string> {
  return new Promise((resolve) => {
    // The cast: a server that listens on a port has such an address.
    server.listen(0, HOST, () => resolve(`${HOST}:${(server.address() as AddressInfo).port}`));
  });
}
