// PostgreSQL's own log: what it wrote is for a person to read, and never decides anything here.

import { type FileHandle, open, readFile } from 'node:fs/promises'
import { unlessMissing } from './files.ts'

const MEBIBYTE = 1024 * 1024

/** Enough for months of starts and stops; what went wrong last stands at the end anyway. */
const MOST_BYTES = 5 * MEBIBYTE

export interface Log {
  readonly file: FileHandle
  /** The line written since it was opened that most likely says why a server ended. */
  lastWords(): Promise<string>
}

/**
 * To append to; begun anew where it has grown too long. No other user may read what statements it
 * quotes.
 */
export async function openServerLog(path: string): Promise<Log> {
  const file = await open(path, 'a', 0o600)
  const { size } = await file.stat()
  if (size > MOST_BYTES) await file.truncate()
  const from = size > MOST_BYTES ? 0 : size
  return { file, lastWords: () => lastWords(path, from) }
}

/** Of a server that somebody else started. */
export function lastWordsOf(path: string): Promise<string> {
  return lastWords(path, 0)
}

/** What is told to callers while it recovers says nothing of why it must. */
const REFUSAL = /the database system is /

async function lastWords(path: string, from: number): Promise<string> {
  // Somebody may have removed the whole folder, which is why the server ended.
  const bytes = await unlessMissing(readFile(path))
  const lines = (bytes?.subarray(from).toString() ?? '').trimEnd().split('\n')
  const fatal = lines.findLast((line) => /\b(FATAL|PANIC):/.test(line) && !REFUSAL.test(line))
  return (fatal ?? lines.at(-1) ?? '').replace(/^.*?(?=\b(FATAL|PANIC|LOG):)/, '')
}
