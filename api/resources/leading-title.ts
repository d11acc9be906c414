/** Titles before names of people. Some notifications of a person have the title in the name, others do not. */

/** A title at the start of a name, with its dot and space. */
export const LEADING_TITLE =
  /^(mr|mrs|miss|ms|mx|master|dr|doctor|prof|professor|sir|dame|lord|lady|rev|reverend)\.? /i;
