// What keeps the embedded PostgreSQL from serving: one line that says what is wrong and what to do
// about it.

import { codeOf } from './files.ts'

export class EmbeddedError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'EmbeddedError'
  }
}

/** The ways out that are open in every case. */
export const ELSEWHERE =
  'set DATA_DIR to another folder, or DATABASE_URL to a PostgreSQL of your own'

const MAKE_ROOM = `make room, ${ELSEWHERE}`

/** The words of ENOSPC and EDQUOT, which PostgreSQL says in its own lines. */
const SAYS_NO_ROOM = /No space left on device|Disk quota exceeded/

/** What to do about what PostgreSQL says; empty where its words are all that is known. */
export function remedyOf(words: string): string {
  return SAYS_NO_ROOM.test(words) ? `: ${MAKE_ROOM}` : ''
}

const NOT_PERMITTED = new Set(['EACCES', 'EPERM', 'EROFS'])
const NO_ROOM = new Set(['ENOSPC', 'EDQUOT'])

/** An error of the file system with its remedy; any other error as it is. */
export function explained(error: unknown, dataDir: string): unknown {
  const code = codeOf(error)
  if (error instanceof EmbeddedError || code === undefined) return error
  if (NOT_PERMITTED.has(code)) {
    const why = `${pathOf(error) ?? dataDir} may not be used by this user (${code})`
    return new EmbeddedError(`${why}: run as the user who owns ${dataDir}, ${ELSEWHERE}`, {
      cause: error,
    })
  }
  if (NO_ROOM.has(code)) {
    return new EmbeddedError(`no room left on the disk of ${dataDir}: ${MAKE_ROOM}`, {
      cause: error,
    })
  }
  if ((code === 'ENOTDIR' || code === 'EEXIST') && pathOf(error) === dataDir) {
    return new EmbeddedError(`${dataDir} is not a folder: ${ELSEWHERE}`, { cause: error })
  }
  return error
}

function pathOf(error: unknown): string | undefined {
  return error instanceof Error && 'path' in error && typeof error.path === 'string'
    ? error.path
    : undefined
}
