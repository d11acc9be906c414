import { expect, it } from "@jest/globals";
import { readState } from "../../../api/shared/stores/redis/redis.ts";
import { judgeDisks } from "../../../scripts/doctor/engines.ts";

const GIGABYTE = 1024 ** 3;
const disk = (total: number, free: number, of = "node") => ({
  of,
  totalBytes: total * GIGABYTE,
  freeBytes: free * GIGABYTE,
});

it.each([
  ["passes a disk that is half free", [disk(100, 50)], "ok"],
  ["warns of a disk with 14% free", [disk(100, 14)], "warn"],
  ["fails for a nearly full disk", [disk(100, 4)], "fail"],
  ["passes a large disk with 3% but over 200 GB free", [disk(10_000, 300)], "ok"],
  ["warns of a large disk with less than 200 GB free", [disk(10_000, 150)], "warn"],
  ["fails if one disk of two is nearly full", [disk(100, 50), disk(100, 1, "other")], "fail"],
])("the check of disks %s", (_title, disks, verdict) => {
  expect(judgeDisks(disks).verdict).toBe(verdict);
});

it("reads version, memory, role and persistence from what Redis and compatible servers report", () => {
  const info = [
    ...["# Server", "redis_version:7.2.4", "server_name:valkey", "valkey_version:8.1.0"],
    ...["used_memory:1000", "maxmemory:2000", "maxmemory_policy:volatile-lru", "role:slave"],
    ...["aof_enabled:0", "aof_last_write_status:ok", "rdb_last_bgsave_status:err"],
  ].join("\r\n");
  expect(readState(info)).toEqual({
    ...{ version: "7.2.4", evictionPolicy: "volatile-lru", role: "replica" },
    ...{ usedBytes: 1000, mostBytes: 2000, isKept: false, isDiskWell: false },
  });
});
