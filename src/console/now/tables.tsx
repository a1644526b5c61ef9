// What waits, what is owed, and who is there to see to it.

import { isOff } from '../../core/clock-skew.ts'
import type { ProcessPulse } from '../../generated/client.ts'
import { QUEUE_NAMES } from '../../queue/catalogue.ts'
import { DUE_KINDS } from '../../upkeep/due-by-kind.ts'
import { skewText } from '../../upkeep/words.ts'
import { Table } from '../parts/shown.tsx'
import { Live } from './live.tsx'
import { DUE_NAMES, type ShownFigures } from './shown-now.ts'
import { spanText } from './wording.ts'

export function QueuesTable({ of }: { of: ShownFigures }) {
  return (
    <section class="part numbers">
      <h2>Queues</h2>
      <p class="fault">
        <Live name="queues.away" of={of} />
      </p>
      <Table title="Jobs in each queue" heads={['Queue', 'Waiting', 'Active', 'Delayed', 'Failed']}>
        {QUEUE_NAMES.map((name) => (
          <tr key={name}>
            <td>
              <a href={`/admin/queues/queue/${name}`}>{name}</a>{' '}
              <Live name={`queue.${name}.paused`} of={of} class="word" />
            </td>
            {['waiting', 'active', 'delayed', 'failed'].map((state) => (
              <td key={state} class="number">
                <Live name={`queue.${name}.${state}`} of={of} />
              </td>
            ))}
          </tr>
        ))}
      </Table>
    </section>
  )
}

export function BacklogTable({ of }: { of: ShownFigures }) {
  return (
    <section class="part numbers">
      <h2>Backlog</h2>
      <Table title="Overdue items by kind" heads={['Kind', 'Items', 'Oldest']}>
        {DUE_KINDS.map((kind) => (
          <tr key={kind}>
            <td>{DUE_NAMES[kind][1]}</td>
            <td class="number">
              <Live name={`due.${kind}.count`} of={of} />
            </td>
            <td class="number">
              <Live name={`due.${kind}.oldest`} of={of} />
            </td>
          </tr>
        ))}
      </Table>
    </section>
  )
}

/** The cells of a process, in the order of PROCESS_HEADS. */
export function processCells(process: ProcessPulse, now: Date): readonly string[] {
  const { role, host, pid, version, queues, startedAt } = process
  const work = queues.length === QUEUE_NAMES.length ? 'all' : queues.join(', ') || 'none'
  const lives = spanText(Math.max(0, now.getTime() - startedAt.getTime()))
  return [role, stateOf(process), `${host} · ${pid}`, work, version, lives]
}

function stateOf({ isDraining, clockSkewMs }: ProcessPulse): string {
  if (isDraining) return 'ending'
  if (!isOff(clockSkewMs)) return 'alive'
  return `clock ${skewText(clockSkewMs)}`
}

const PROCESS_HEADS = ['Role', 'State', 'Host', 'Queues', 'Version', 'Running for']

export function ProcessesTable({ rows }: { rows: readonly (readonly string[])[] }) {
  return (
    <section class="part processes">
      <h2>Processes</h2>
      <Table title="Running processes" heads={PROCESS_HEADS}>
        <ProcessRows rows={rows} />
      </Table>
    </section>
  )
}

function ProcessRows({ rows }: { rows: readonly (readonly string[])[] }) {
  return rows.map((cells) => (
    <tr key={cells.join()}>
      {cells.map((cell, place) => (
        <td key={PROCESS_HEADS[place]}>{cell}</td>
      ))}
    </tr>
  ))
}
