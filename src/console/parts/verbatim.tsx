/** What was written elsewhere, to the letter. What scrolls must be reached by keyboard. */
export function Verbatim({ text }: { text: string }) {
  // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
  return <pre tabIndex={0}>{text}</pre>
}
