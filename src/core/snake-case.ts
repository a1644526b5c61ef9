/** `createdAt` becomes `created_at`, and `address1` `address_1`, as API and database write them. */
export function snakeCase(property: string): string {
  return property.replace(/[A-Z]|\d+$/g, (part) => `_${part.toLowerCase()}`)
}
