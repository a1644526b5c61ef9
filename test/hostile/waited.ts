// How long a process has waited for a core of the machine. A measurement while other tests use all
// cores says nothing about the service, so that time is subtracted.

import { readFileSync } from 'node:fs'

/** For the main thread of a process, since its start; 0 if the system does not report it. */
export function waitedForCoreMs(pid: number): number {
  try {
    const [, waitedNs = '0'] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')
    return Number(waitedNs) / 1e6
  } catch {
    return 0
  }
}
