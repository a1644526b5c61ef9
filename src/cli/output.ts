// The output of commands: tables for people, JSON for scripts, one line for an error.

import { OperatorError } from '../accounts/operator-error.ts'
import { readConfig, SettingsError } from '../config.ts'
import { UnfitDatabase } from '../db/assert-sessions.ts'
import { EmbeddedError } from '../db/embedded/index.ts'
import { isDatabaseAway } from '../db/failure.ts'
import { MigrationError } from '../db/migrate.ts'
import { placeOf } from '../db/place.ts'
import { UnfitStore } from '../queue/engine.ts'

export interface Output {
  readonly json?: boolean
}

/** Rows as JSON, or as a table whose columns are the fields. */
export function print(rows: readonly object[], { json }: Output): void {
  process.stdout.write(json === true ? `${JSON.stringify(rows, null, 2)}\n` : table(rows))
}

export function printOne(row: object, { json }: Output): void {
  const lines = Object.entries(row).map(([name, value]) => `${name}: ${text(value)}\n`)
  process.stdout.write(json === true ? `${JSON.stringify(row, null, 2)}\n` : lines.join(''))
}

/** Prints one line and sets the exit status. An unexpected error keeps its stack, for debugging. */
export function fail(error: unknown): void {
  process.stderr.write(`lamplighter: ${reasonOf(error)}\n`)
  process.exitCode = 1
}

const FORESEEN = [OperatorError, EmbeddedError, MigrationError, UnfitDatabase, UnfitStore]

function reasonOf(error: unknown): string {
  if (error instanceof SettingsError) return error.message
  if (FORESEEN.some((kind) => error instanceof kind)) return (error as Error).message
  if (isDatabaseAway(error)) return `${database()} cannot be reached${causeOf(error)}`
  const { code, port } = error as { code?: unknown; port?: unknown }
  if (code === 'EADDRINUSE') return `port ${port} is in use: set PORT to another`
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

/** A driver's timeout does not name the database. */
function database(): string {
  const { databaseUrl } = readConfig()
  return databaseUrl === undefined ? 'the database' : `the database ${placeOf(databaseUrl)}`
}

function causeOf(error: unknown): string {
  const { cause } = error as { cause?: unknown }
  return cause instanceof Error && cause.message !== '' ? `: ${cause.message}` : ''
}

function table(rows: readonly object[]): string {
  const [first] = rows
  if (first === undefined) return 'none\n'
  const names = Object.keys(first)
  const cells = rows.map((row) => names.map((name) => text(Reflect.get(row, name))))
  const widths = names.map((name, i) =>
    Math.max(name.length, ...cells.map((line) => line[i]?.length ?? 0)),
  )
  const format = (line: readonly string[]) =>
    line
      .map((cell, i) => cell.padEnd(widths[i] ?? 0))
      .join('  ')
      .trimEnd()
  return `${[names, ...cells].map(format).join('\n')}\n`
}

function text(value: unknown): string {
  if (value instanceof Date) return value.toISOString()
  return value === null || value === undefined ? '' : String(value)
}
