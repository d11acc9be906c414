/** Stores entries of the load history for loads that never ran. */
import type { DocumentStore } from "../../api/shared/stores/mongodb/mongo.ts";
import type { LoadPlan, SurveyedFile } from "../../ingest/history/loads.ts";
import { CUT_VERSION } from "../../ingest/queue/batches.ts";
import { noCounts } from "../../ingest/history/counts.ts";

/** Stores a load as the load command would. */
export async function keepLoad(
  documents: DocumentStore,
  load: {
    _id: string;
    state?: "running" | "succeeded" | "failed" | "undone";
    files?: string[];
    reason?: string;
    started_at?: string;
    surveyed?: Partial<SurveyedFile>[];
    plan?: Partial<LoadPlan>;
  },
): Promise<void> {
  await documents.put("loads", {
    ...{ state: "succeeded", files: [`${load._id}.csv`], started_at: "2026-11-21T06:12:00.000Z" },
    ...load,
    plan: {
      ...{ encoding: "utf-8", limits: { rows: 1_000, bytes: 1_000_000 }, cut: CUT_VERSION },
      ...{ revision: 1, isComplete: false },
      ...load.plan,
    },
    counts: { ...noCounts(), warnings: [] },
  });
}
