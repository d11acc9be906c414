import type { Client } from "@elastic/elasticsearch";
import { expect, it } from "@jest/globals";
import { openWords } from "../../../api/shared/stores/elasticsearch/words.ts";
import { WORD_LETTERS } from "../../../api/shared/values/nearness.ts";

/** An index of words that notes the words of each request. The cast: additions use nothing else of a client. */
function open() {
  const requests: string[][] = [];
  const bulk = ({ operations }: { operations: { word?: string }[] }) => {
    requests.push(operations.flatMap(({ word }) => word ?? []));
    return Promise.resolve({ errors: false, items: [] });
  };
  return { words: openWords({ bulk } as unknown as Client, "words"), requests };
}

it("a word is stored once, unless it is too short or too long for near spellings", async () => {
  const { words, requests } = open();
  const longest = "x".repeat(WORD_LETTERS);
  await words.add([`a ab  abc ${longest}`, `ab ${longest}x`, ""]);
  await words.add(["abc", "ab abd"]);
  await words.add(["abd a"]);
  expect(requests).toEqual([["ab", "abc", longest], ["abd"]]);
});

it("the words of a lost index are stored again", async () => {
  const { words, requests } = open();
  await words.add(["abc"]);
  words.forgetKnown();
  await words.add(["abc"]);
  expect(requests).toEqual([["abc"], ["abc"]]);
});
