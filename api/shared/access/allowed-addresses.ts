/**
 * Network addresses: the ones that an application may call from, and the network by which requests are counted. Pure.
 */
import { BlockList, isIP, isIPv4 } from "node:net";

const BITS = { 4: 32, 6: 128 } as const;

interface Network {
  address: string;
  /** How many leading bits of the address name the network. */
  prefix: number;
  family: "ipv4" | "ipv6";
}

/** True for an address (`192.0.2.7`, `2001:db8::1`) or a network (`192.0.2.0/24`). */
export function isNetwork(text: string): boolean {
  return parseNetwork(text) !== null;
}

/** Makes a function that tells whether an address is one of these, or in one of these networks. */
export function allowAddresses(networks: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const network of networks.map(parseNetwork)) {
    if (network) list.addSubnet(network.address, network.prefix, network.family);
  }
  return (address) => {
    const plain = unmapped(address);
    return list.check(plain, isIPv4(plain) ? "ipv4" : "ipv6");
  };
}

function parseNetwork(text: string): Network | null {
  const [address = "", bits, ...rest] = text.split("/");
  // An address with a zone (fe80::1%eth0) is refused: zones are local to a machine, so no request could match it.
  const version = address.includes("%") ? 0 : isIP(address);
  if (version !== 4 && version !== 6) return null;
  if (rest.length > 0 || (bits !== undefined && !/^\d{1,3}$/.test(bits))) return null;
  const prefix = bits === undefined ? BITS[version] : Number(bits);
  return prefix > BITS[version] ? null : { address, prefix, family: version === 4 ? "ipv4" : "ipv6" };
}

/** The key under which requests from an address are counted. For IPv6 it is the /64, the least that networks get. */
export function networkOf(address: string): string {
  const plain = unmapped(address);
  if (isIP(plain) !== 6) return plain;
  const [head = "", tail = ""] = plain.split("::");
  const front = head === "" ? [] : head.split(":");
  const back = tail.split(":");
  const zeros = Array<string>(Math.max(0, 8 - front.length - back.length)).fill("0");
  return `${[...front, ...zeros, ...back].slice(0, 4).join(":")}::`;
}

// Some proxies add the port: `192.0.2.7:50123`, `[2001:db8::1]:443`.
const WITH_PORT = /^(?:\[([^\]]+)\](?::\d+)?|([\d.]+):\d+)$/;

/** Removes the port, and the prefix with which a dual-stack socket shows an IPv4 address: `::ffff:192.0.2.7`. */
function unmapped(address: string): string {
  const [, inBrackets, beforePort] = WITH_PORT.exec(address) ?? [];
  return (inBrackets ?? beforePort ?? address).replace(/^::ffff:(?=\d+\.)/i, "");
}
