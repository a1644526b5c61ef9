// Counts as people read them.

/** `1,234,567`, in any language of the host. */
export function grouped(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',')
}

/** `1 payment`, `3 payments`. */
export function manyText(count: number, one: string, many: string): string {
  return `${grouped(count)} ${count === 1 ? one : many}`
}
