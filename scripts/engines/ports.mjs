// Ports of this machine: finds a free one, and asks whether a server answers on one.

import { connect, createServer } from "node:net";

const answerMs = 2_000;

/** A port of 127.0.0.1 that is free at this moment. */
export function findFreePort() {
  return listenOnce(0);
}

/** Why no server can listen on the port, as an error code (EADDRINUSE, EACCES); undefined if one can. */
export function findPortFault(port) {
  return listenOnce(port).then(
    () => undefined,
    ({ code }) => code,
  );
}

function listenOnce(asked) {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(asked, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

/** Sends bytes to a port and returns the first bytes of the answer. Rejects if none comes within two seconds. */
export function ask(port, bytes) {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1", () => socket.write(bytes));
    const fail = (error) => {
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
