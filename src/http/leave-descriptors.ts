// Leaves descriptors to the stores and to files: a server that takes all of the process's for
// connections can ask nobody any more, and the process ends when it cannot read a module.

import { readFileSync } from 'node:fs'
import type { Server } from 'node:http'
import type { World } from '../world.ts'

/** The stores and the gateways take about a hundred. */
const KEPT = 200

const TOO_MANY = 'connections are closed at once: ulimit -n allows no more'

export function leaveDescriptors(server: Server, { outages }: Pick<World, 'outages'>): void {
  const limit = openFiles()
  if (limit === undefined) return
  const most = limit - Math.min(KEPT, Math.floor(limit / 2))
  server.maxConnections = most
  server.on('drop', () => outages.report(TOO_MANY, { err: new Error(`${most} are open`) }))
}

/** The limit of this process (`ulimit -n`); undefined where the system has another way to ask. */
function openFiles(): number | undefined {
  try {
    const [, soft] = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? []
    return soft === undefined ? undefined : Number(soft)
  } catch {
    return undefined
  }
}
