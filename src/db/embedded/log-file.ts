// PostgreSQL's own log. People read it; the service decides nothing by it.

import { type FileHandle, open, readFile } from 'node:fs/promises'
import { unlessMissing } from './files.ts'

const MEBIBYTE = 1024 * 1024

/** Enough for months of starts and stops. The latest error is at the end anyway. */
const MOST_BYTES = 5 * MEBIBYTE

export interface Log {
  readonly file: FileHandle
  /** The line since the opening of the log that most likely explains why the server ended. */
  lastWords(): Promise<string>
}

/**
 * For appending. A log that has grown too long is begun again. No other user may read it, since it
 * quotes statements.
 */
export async function openServerLog(path: string): Promise<Log> {
  const file = await open(path, 'a', 0o600)
  const { size } = await file.stat()
  if (size > MOST_BYTES) await file.truncate()
  const from = size > MOST_BYTES ? 0 : size
  return { file, lastWords: () => lastWords(path, from) }
}

/** The last words of a server that another process started. */
export function lastWordsOf(path: string): Promise<string> {
  return lastWords(path, 0)
}

/** These messages to clients do not say why the server recovers. */
const REFUSAL = /the database system is /

async function lastWords(path: string, from: number): Promise<string> {
  // The whole folder may have been deleted, which is why the server ended.
  const bytes = await unlessMissing(readFile(path))
  const lines = (bytes?.subarray(from).toString() ?? '').trimEnd().split('\n')
  const fatal = lines.findLast((line) => /\b(FATAL|PANIC):/.test(line) && !REFUSAL.test(line))
  return (fatal ?? lines.at(-1) ?? '').replace(/^.*?(?=\b(FATAL|PANIC|LOG):)/, '')
}
