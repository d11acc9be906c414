import { expect, it } from "@jest/globals";
import { findIndex } from "../../../api/shared/stores/mongodb/indexes.ts";

const plain = { name: "a_1_b_1", keys: "a_1_b_1", isUnique: false, isPlain: true };
const wanted = { fields: ["a", "b"] };

it.each([
  ["exists", wanted, plain, { isThere: true }],
  ["exists under another name", wanted, { ...plain, name: "mine" }, { isThere: true }],
  ["exists as a unique one", { ...wanted, unique: true }, { ...plain, isUnique: true }, { isThere: true }],
  ["is missing", wanted, { ...plain, name: "b_1", keys: "b_1" }, { isThere: false }],
  [
    "has a unique one in its way",
    wanted,
    { ...plain, isUnique: true },
    { isThere: false, inTheWay: "a_1_b_1" },
  ],
  [
    "has one that is not unique in its way",
    { ...wanted, unique: true },
    plain,
    { isThere: false, inTheWay: "a_1_b_1" },
  ],
  [
    "has one of some documents in its way",
    wanted,
    { ...plain, name: "mine", isPlain: false },
    { isThere: false, inTheWay: "mine" },
  ],
  [
    "has one of other fields in its way, by its name",
    wanted,
    { ...plain, keys: "b_1" },
    { isThere: false, inTheWay: "a_1_b_1" },
  ],
])("an index %s", (_how, index, existing, expected) => {
  expect(findIndex([{ ...plain, name: "_id_", keys: "_id_1" }, existing], index)).toEqual(expected);
});
