// How long a process has waited for a core of the machine. What is measured while other tests hold
// all cores says nothing of the service, so that time is taken off.

import { readFileSync } from 'node:fs'

/** Of the main thread of a process, since its start; 0 where the system does not tell. */
export function waitedForCoreMs(pid: number): number {
  try {
    const [, waitedNs = '0'] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')
    return Number(waitedNs) / 1e6
  } catch {
    return 0
  }
}
