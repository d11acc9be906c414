/** Owns the titles that may stand before the name of a person. */

/** A title before a name: some notifications of a person have it and others do not. */
export const LEADING_TITLE =
  /^(mr|mrs|miss|ms|mx|master|dr|doctor|prof|professor|sir|dame|lord|lady|rev|reverend)\.? /i;
