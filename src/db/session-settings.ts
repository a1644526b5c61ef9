// Run-time settings that every session of ours begins with, whatever the role or the database has.

export type SessionSettings = Readonly<Record<string, string | number>>

export const OWN_SETTINGS: SessionSettings = {
  // Prisma's adapter reads and writes wrong instants in any other zone or form.
  TimeZone: 'UTC',
  DateStyle: 'ISO',
  // Statements name our tables without their schema.
  search_path: 'public',
  // At a stricter level the second of two that change one row fails, and does not look again.
  default_transaction_isolation: 'read committed',
}

/** As the parameter `options` of a connection, where a space ends a setting. */
export function optionsOf(settings: SessionSettings): string {
  return Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${String(value).replaceAll(' ', '\\ ')}`)
    .join(' ')
}
