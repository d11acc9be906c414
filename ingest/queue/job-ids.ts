/** The ids of batches in the queue and in the change log. Pure. */
const AGAIN = "-again";

/** What names a batch. */
interface NamedBatch {
  load: string;
  revision: number;
  isAgain?: true;
}

/** A batch that runs a second time has an id of its own: what is known of its first run says nothing of it. */
export function jobIdOf({ load, revision, isAgain }: NamedBatch): string {
  return `${load}-${revision}${isAgain ? AGAIN : ""}`;
}

/** The load of a batch, of one of the batch's ids. */
export function loadOfJob(job: string): string {
  const [first = ""] = idsOfBatch(job);
  return first.slice(0, first.lastIndexOf("-"));
}

/** The ids under which a batch may have run, of one of them. */
export function idsOfBatch(job: string): string[] {
  const first = job.endsWith(AGAIN) ? job.slice(0, -AGAIN.length) : job;
  return [first, `${first}${AGAIN}`];
}
