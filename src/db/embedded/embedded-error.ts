// A reason why the embedded PostgreSQL cannot serve: one line that says what is wrong and what to
// do.

import { NamedError } from '../../core/named-error.ts'
import { systemCodeOf } from './files.ts'

export class EmbeddedError extends NamedError {}

/** The alternatives that always work. */
export const ELSEWHERE =
  'set DATA_DIR to another folder, or DATABASE_URL to a PostgreSQL of your own'

const MAKE_ROOM = `make room, ${ELSEWHERE}`

/** How PostgreSQL words ENOSPC and EDQUOT. */
const SAYS_DISK_FULL = /No space left on device|Disk quota exceeded/

/** Also a case of ENOSPC: containers have little of it. */
const SAYS_SHARED_MEMORY_FULL = /shared memory segment .*No space left on device/

const MAKE_SHARED_MEMORY =
  'give /dev/shm more room (docker run --shm-size=256m), or set DATABASE_URL to a PostgreSQL of your own'

/** initdb asks for the name. */
const SAYS_NAMELESS = /could not look up effective user ID/

const GIVE_NAME = 'run as a user of /etc/passwd, or set DATABASE_URL to a PostgreSQL of your own'

/** The remedy for a message of PostgreSQL. Empty if only the message is known. */
export function remedyOf(words: string): string {
  if (SAYS_SHARED_MEMORY_FULL.test(words)) return `: ${MAKE_SHARED_MEMORY}`
  if (SAYS_NAMELESS.test(words)) return `: ${GIVE_NAME}`
  return SAYS_DISK_FULL.test(words) ? `: ${MAKE_ROOM}` : ''
}

const NOT_PERMITTED = new Set(['EACCES', 'EPERM'])
const NO_ROOM = new Set(['ENOSPC', 'EDQUOT'])

/** Adds the remedy to an error of the file system. Returns any other error unchanged. */
export function explained(error: unknown, dataDir: string): unknown {
  const code = systemCodeOf(error)
  if (error instanceof EmbeddedError || code === undefined) return error
  if (NOT_PERMITTED.has(code)) {
    const why = `${pathOf(error) ?? dataDir} may not be used by this user (${code})`
    return new EmbeddedError(`${why}: run as the user who owns ${dataDir}, ${ELSEWHERE}`, {
      cause: error,
    })
  }
  if (code === 'EROFS') {
    const why = `${dataDir} is on a file system that can only be read`
    return new EmbeddedError(`${why}: mount it for writing, ${ELSEWHERE}`, { cause: error })
  }
  if (NO_ROOM.has(code)) {
    return new EmbeddedError(`no room left on the disk of ${dataDir}: ${MAKE_ROOM}`, {
      cause: error,
    })
  }
  if ((code === 'ENOTDIR' || code === 'EEXIST') && pathOf(error) === dataDir) {
    return new EmbeddedError(`${dataDir} is not a folder: ${ELSEWHERE}`, { cause: error })
  }
  if (code === 'ENOENT' && isOfWriting(error)) {
    const why = `${pathOf(error)} cannot be made`
    return new EmbeddedError(`${why}: ${ELSEWHERE}`, { cause: error })
  }
  return error
}

/** Some folders, such as /proc, exist and take nothing. */
function isOfWriting(error: unknown): boolean {
  return (
    error instanceof Error &&
    'syscall' in error &&
    (error.syscall === 'mkdir' || error.syscall === 'open')
  )
}

function pathOf(error: unknown): string | undefined {
  return error instanceof Error && 'path' in error && typeof error.path === 'string'
    ? error.path
    : undefined
}
