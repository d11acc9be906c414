// Owns network questions about this machine: which port is free, does something answer there.

import { connect, createServer } from "node:net";

const answerMs = 2_000;

/** A port free at this moment on the loopback address.
 * @returns {Promise<number>} */
export function findFreePort() {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
      server.close(() => resolve(port));
    });
  });
}

/** @param {number} port
 * @returns {Promise<boolean>} whether a server could listen there */
export function isPortFree(port) {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
}

/** Sends bytes to a port and returns the first bytes that come back; rejects when nobody answers.
 * @param {number} port
 * @param {string | Uint8Array} bytes
 * @returns {Promise<Buffer>} */
export function ask(port, bytes) {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1", () => socket.write(bytes));
    const fail = (/** @type {Error} */ error) => {
      socket.destroy();
      reject(error);
    };
    socket.setTimeout(answerMs, () => fail(new Error("no answer")));
    socket.once("error", fail);
    socket.once("close", () => reject(new Error("closed")));
    socket.once("data", (answer) => {
      resolve(answer);
      socket.destroy();
    });
  });
}
