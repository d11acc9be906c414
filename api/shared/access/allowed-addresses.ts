/**
 * Owns the network addresses that a key may be used from: how they are written, which ones they let in, and by which name
 * an address is counted. Pure.
 */
import { BlockList, isIP } from "node:net";

const BITS = { 4: 32, 6: 128 } as const;

interface Network {
  address: string;
  /** Bits that count. */
  prefix: number;
  family: "ipv4" | "ipv6";
}

/** True for an address (`192.0.2.7`, `2001:db8::1`) or a network (`192.0.2.0/24`). */
export function isNetwork(text: string): boolean {
  return parseNetwork(text) !== null;
}

/** Makes a test of addresses: is this one of those, or in one of those networks? */
export function allowAddresses(networks: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const network of networks.map(parseNetwork)) {
    if (network) list.addSubnet(network.address, network.prefix, network.family);
  }
  return (address) => {
    const plain = unmapped(address);
    const version = isIP(plain);
    return version !== 0 && list.check(plain, version === 4 ? "ipv4" : "ipv6");
  };
}

function parseNetwork(text: string): Network | null {
  const [address = "", bits, ...rest] = text.split("/");
  // A zone (fe80::1%eth0) names a network card of one machine: no address that a request brings can match it.
  const version = address.includes("%") ? 0 : isIP(address);
  if (version !== 4 && version !== 6) return null;
  if (rest.length > 0 || (bits !== undefined && !/^\d{1,3}$/.test(bits))) return null;
  const prefix = bits === undefined ? BITS[version] : Number(bits);
  return prefix > BITS[version] ? null : { address, prefix, family: version === 4 ? "ipv4" : "ipv6" };
}

/** The name by which an address is counted: for IPv6 the /64, because every network has at least that. */
export function networkOf(address: string): string {
  const plain = unmapped(address);
  if (isIP(plain) !== 6) return plain;
  const [head = "", tail = ""] = plain.split("%", 1)[0]?.split("::") ?? [];
  const front = head === "" ? [] : head.split(":");
  const back = tail === "" ? [] : tail.split(":");
  const zeros = plain.includes("::")
    ? Array<string>(Math.max(0, 8 - front.length - back.length)).fill("0")
    : [];
  return `${[...front, ...zeros, ...back].slice(0, 4).join(":")}::`;
}

// Some proxies name the port as well: `192.0.2.7:50123`, `[2001:db8::1]:443`.
const WITH_PORT = /^(?:\[([^\]]+)\](?::\d+)?|([\d.]+):\d+)$/;

/** The address alone. A socket that takes both families shows an IPv4 address as `::ffff:192.0.2.7`. */
function unmapped(address: string): string {
  const [, inBrackets, beforePort] = WITH_PORT.exec(address) ?? [];
  return (inBrackets ?? beforePort ?? address).replace(/^::ffff:(?=\d+\.)/i, "");
}
