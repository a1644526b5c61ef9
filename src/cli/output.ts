// The output of commands: tables for people, JSON for scripts, one line for an error.

import { hasColour } from '../config/colour.ts'
import { type Config, isOwnAdminAddress, readConfig, SettingsError } from '../config.ts'
import { OperatorError } from '../core/operator-error.ts'
import { colourPaint, type Paint, plainPaint } from '../core/paint.ts'
import { snakeCase } from '../core/snake-case.ts'
import { plainLines, safeJson } from '../core/terminal-text.ts'
import { isUnverified, UNVERIFIED_REMEDY } from '../core/unverified.ts'
import { UnfitDatabase } from '../db/assert-sessions.ts'
import { databaseAddress } from '../db/database-address.ts'
import { EmbeddedError } from '../db/embedded/embedded-error.ts'
import {
  isCanceled,
  isDatabaseAway,
  isForbidden,
  isNotLetIn,
  isOutOfConnections,
  isReadOnly,
  OUT_OF_CONNECTIONS,
} from '../db/failure.ts'
import { MigrationError } from '../db/migrate.ts'
import { UnfitStore } from '../queue/engine.ts'
import { cellText, type TableColumn, tableText } from './table.ts'

export interface Output {
  readonly json?: boolean
}

export interface ListOutput extends Output {
  readonly wide?: boolean
}

/** Rows as one JSON document, or as a table. */
export function printRows<R extends object>(
  rows: readonly R[],
  columns: readonly TableColumn<R>[],
  { json, wide = false }: ListOutput,
): void {
  if (json === true) {
    printJson(rows.map(inSnakeCase))
    return
  }
  const { isTTY, columns: width } = process.stdout
  const style = { columns: isTTY ? width : undefined, isWide: wide, paint: paintOf(process.stdout) }
  process.stdout.write(tableText(rows, columns, style))
}

/** One row as a JSON document, or as lines. Both have the field names of the API. */
export function printOne(row: object, { json }: Output): void {
  const fields = inSnakeCase(row)
  if (json === true) {
    printJson(fields)
    return
  }
  const paint = paintOf(process.stdout)
  const lines = Object.entries(fields).map(
    ([name, value]) => `${paint('bold', `${name}:`)} ${cellText(value)}\n`,
  )
  process.stdout.write(lines.join(''))
}

/** The link is on a line of its own, so that a terminal can open it and a script can read it. */
export function printLink(
  { config }: { readonly config: Config },
  link: { readonly url: string },
  { json }: Output,
): void {
  if (json === true) {
    printOne(link, { json })
    return
  }
  process.stdout.write(`${link.url}\n`)
  // A command may not have the settings of the process that serves the console.
  if (process.stderr.isTTY && isOwnAdminAddress(config)) process.stderr.write(FROM_SETTINGS)
}

const FROM_SETTINGS =
  'Its address follows from PORT, ADMIN_PORT and PUBLIC_URL as they are set here. ' +
  'If the console is served at another, put that in its place.\n'

export function printJson(document: unknown): void {
  process.stdout.write(`${safeJson(JSON.stringify(document, null, 2))}\n`)
}

export function paintOf(output: NodeJS.WriteStream): Paint {
  return hasColour(output) ? colourPaint : plainPaint
}

function inSnakeCase(row: object): object {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [snakeCase(name), value]))
}

/** Prints one line and sets the exit status. An unexpected error keeps its stack, for debugging. */
export function fail(error: unknown): void {
  process.stderr.write(`lamplighter: ${plainLines(reasonOf(error))}\n`)
  process.exitCode = 1
}

const FORESEEN = [OperatorError, EmbeddedError, MigrationError, UnfitDatabase, UnfitStore]

function reasonOf(error: unknown): string {
  if (error instanceof SettingsError) return error.message
  if (FORESEEN.some((kind) => error instanceof kind)) return (error as Error).message
  if (isOutOfConnections(error)) return `${database()} ${OUT_OF_CONNECTIONS} (${refusalOf(error)})`
  if (isReadOnly(error)) return `${database()} accepts no writes: ${refusalOf(error)}`
  if (isCanceled(error)) return `${database()} ended a statement: ${refusalOf(error)}`
  if (isDatabaseAway(error)) return `${database()} cannot be reached${causeOf(error)}`
  if (isForbidden(error)) {
    return `${database()} lets our role do too little: ${refusalOf(error)}: ${RIGHTS}`
  }
  if (isNotLetIn(error)) return `${database()} does not let us in: ${(error as Error).message}`
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

const RIGHTS =
  'the role that migrates must own the database, and others need to read and write every table'

/** A driver's timeout does not name the database. */
function database(): string {
  const { databaseUrl } = readConfig()
  return databaseUrl === undefined ? 'the database' : `the database ${databaseAddress(databaseUrl)}`
}

function causeOf(error: unknown): string {
  const { cause } = error as { cause?: unknown }
  if (!(cause instanceof Error) || cause.message === '') return ''
  return isUnverified(cause) ? `: ${cause.message}: ${UNVERIFIED_REMEDY}` : `: ${cause.message}`
}

/** The server's own words, which also name a limit of the role or of the database. */
function refusalOf(error: unknown): string {
  const { cause } = error as { cause?: unknown }
  return (cause instanceof Error ? cause : (error as Error)).message
}
