// Makes an endpoint's response readable: one line of plain text.

export function plainExcerpt(bytes: Uint8Array): string {
  return new TextDecoder()
    .decode(bytes)
    .replace(/[\p{C}\p{Z}\uFFFD]+/gu, ' ')
    .trim()
}
