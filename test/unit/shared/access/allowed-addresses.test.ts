import { expect, it } from "@jest/globals";
import { allowAddresses, isNetwork, networkOf } from "../../../../api/shared/access/allowed-addresses.ts";

it.each([
  ["192.0.2.7", true],
  ["192.0.2.0/24", true],
  ["192.0.2.0/32", true],
  ["192.0.2.0/33", false],
  ["192.0.2.0/", false],
  ["192.0.2.0/x", false],
  ["192.0.2.0/-1", false],
  ["192.0.2.0/24/8", false],
  ["2001:db8::1", true],
  ["2001:db8::/128", true],
  ["2001:db8::/129", false],
  ["fe80::1%eth0", false],
  ["localhost", false],
])("takes %p for an address or a network: %p", (text, expected) => {
  expect(isNetwork(text)).toBe(expected);
});

it.each([
  ["192.0.2.7", true],
  ["192.0.2.8", false],
  ["198.51.100.255", true],
  ["198.51.101.0", false],
  ["2001:db8:0:0:1::", true],
  ["2001:db8:0:1::", false],
  ["::ffff:192.0.2.7", true],
  ["192.0.2.7:50123", true],
  ["[2001:db8::7]:50123", true],
  ["[2001:db8::7]", true],
  ["localhost", false],
  ["", false],
])("finds %p among the allowed addresses: %p", (address, expected) => {
  expect(allowAddresses(["192.0.2.7", "198.51.100.0/24", "2001:db8::/64"])(address)).toBe(expected);
});

it.each([
  ["192.0.2.7", "192.0.2.7"],
  ["::ffff:192.0.2.7", "192.0.2.7"],
  ["192.0.2.7:50123", "192.0.2.7"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"],
  ["2001:db8:1:2:3:4:192.0.2.7", "2001:db8:1:2::"],
  ["[2001:db8::7]:50123", "2001:db8:0:0::"],
  ["2001:db8::2:3:4:5:6", "2001:db8:0:2::"],
  ["2001:db8:1:2::", "2001:db8:1:2::"],
  ["2001::", "2001:0:0:0::"],
  ["::1", "0:0:0:0::"],
  ["fe80::1%eth0", "fe80:0:0:0::"],
])("requests from %s are counted under %s", (address, expected) => {
  expect(networkOf(address)).toBe(expected);
});
