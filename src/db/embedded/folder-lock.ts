// The lock of a running server on its data folder. PostgreSQL looks for another server among the
// processes and the shared memory that it can see, and a container sees only its own: two of them
// on one folder would each serve it, and lose each other's commits. The kernel knows this lock in
// all of them, and ends it with the last process of the server.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { SECOND } from '../../core/time-units.ts'
import { ELSEWHERE, EmbeddedError } from './embedded-error.ts'
import { isThere } from './files.ts'
import { findPostmaster, poll, postmasterFile } from './postmaster.ts'

/** The exit code that tells a lock of another process from a machine without such locks. */
const HELD = 75

const LOCK = ['--nonblock', `--conflict-exit-code=${HELD}`] as const

/** The children of a killed server end within this time, and one that stops has let go by then. */
const LETTING_GO_MS = 3 * SECOND

const LOOK_MS = 50

/**
 * Throws if a server that this process cannot see runs on the folder. Such a server keeps its
 * `postmaster.pid`, and nothing here may touch that file or the claims of its service.
 */
export async function assertNotElsewhere(cluster: string): Promise<void> {
  if (!(await isThere(postmasterFile(cluster)))) return
  if ((await findPostmaster(cluster)) !== undefined) return
  const isFree = async () => ((await tryLock(cluster)) === HELD ? undefined : true)
  if (await poll(isFree, { everyMs: LOOK_MS, withinMs: LETTING_GO_MS })) return
  throw new EmbeddedError(
    `${cluster} is in use in another container, or on the machine that this container shares it with: stop the service there, ${ELSEWHERE}`,
  )
}

/**
 * The command that takes the lock and becomes the server. Empty where there is none, as on macOS or
 * on a file system without locks.
 */
export async function lockingCommand(cluster: string): Promise<readonly string[]> {
  return (await tryLock(cluster)) === 0 ? ['flock', ...LOCK, '--no-fork', cluster] : []
}

/** Takes the lock for a moment: 0 if it was free, and neither 0 nor `HELD` without such locks. */
async function tryLock(cluster: string): Promise<number | null> {
  const child = spawn('flock', [...LOCK, cluster, 'true'], { cwd: '/', stdio: 'ignore' })
  try {
    const [code] = await once(child, 'exit')
    return code
  } catch {
    return null
  }
}
