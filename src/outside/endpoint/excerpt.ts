// What a stranger said, for people to read: on one line, and nothing but text.

export function plainExcerpt(bytes: Uint8Array): string {
  return new TextDecoder()
    .decode(bytes)
    .replace(/[\p{C}\p{Z}\uFFFD]+/gu, ' ')
    .trim()
}
