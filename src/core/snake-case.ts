/** `createdAt` becomes `created_at`, as the API and the database write it. */
export function snakeCase(property: string): string {
  return property.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}
