/** The ids of batches in the queue and in the change log. Pure. */

export function jobIdOf({ load, revision }: { load: string; revision: number }): string {
  return `${load}-${revision}`;
}

/** The load of a batch, of its id. */
export function loadOfJob(job: string): string {
  return job.slice(0, job.lastIndexOf("-"));
}
