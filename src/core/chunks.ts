/** The list in parts of at most so many, in its order. */
export function chunksOf<T>(all: readonly T[], most: number): readonly (readonly T[])[] {
  const chunks: T[][] = []
  for (let at = 0; at < all.length; at += most) chunks.push(all.slice(at, at + most))
  return chunks
}
