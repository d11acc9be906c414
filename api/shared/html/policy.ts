/** Owns the content policy of pages: nothing inline, nothing from other hosts. Pure. */

// The style sheet has its icons as data: images.
const POLICY = ["default-src 'none'", "style-src 'self'", "img-src 'self' data:", "base-uri 'none'"];

/** The policy with what a page needs besides; where its forms lead, and who may frame it, each page says itself. */
export function contentPolicy(...more: readonly string[]): string {
  return [...POLICY, ...more].join("; ");
}
