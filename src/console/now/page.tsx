// The current state of the service: how much it does, how fast, and how much waits or is overdue.
// The page is useful without a script; the script keeps it current.

import type { FastifyInstance } from 'fastify'
import { SECOND } from '../../core/time-units.ts'
import { type ServiceNow, watchService } from '../../upkeep/service-now.ts'
import type { World } from '../../world.ts'
import { answerConsole } from '../answer-console.tsx'
import {
  BacklogTable,
  Charts,
  Live,
  ProcessesTable,
  processCells,
  QueuesTable,
  Tiles,
} from './sections.tsx'
import { shownNow } from './shown-now.ts'

export function nowPages(own: FastifyInstance, world: World): void {
  const serviceNow = watchService(world)
  own.get('/', async (_request, reply) => {
    const service = await serviceNow()
    return answerConsole(
      reply,
      {
        title: 'Now',
        place: 'now',
        scripts: ['charts.js', 'now.js'],
        styles: ['charts.css', 'now.css'],
      },
      <NowPage service={service} />,
    )
  })
  own.get('/now.json', async () => movedBy(await serviceNow()))
}

function NowPage({ service }: { service: ServiceNow }) {
  const shown = shownNow(service)
  return (
    <>
      <div class="watch" id="watch">
        <p>
          <span class="beat" aria-hidden="true" />
          <span id="watching" role="status">
            As of
          </span>{' '}
          <Live name="at" of={shown} class="number" /> UTC
        </p>
        <button type="button" class="plain" id="pause" hidden>
          Pause
        </button>
      </div>
      <Tiles of={shown} />
      <Charts of={shown} />
      <div class="halves">
        <QueuesTable of={shown} />
        <BacklogTable of={shown} />
      </div>
      <ProcessesTable rows={processesOf(service)} />
    </>
  )
}

function processesOf({ processes, at }: ServiceNow): readonly (readonly string[])[] {
  return processes.map((process) => processCells(process, at))
}

/** The new values for the page. Instants are in seconds, as the charts need them. */
function movedBy(service: ServiceNow) {
  const { series, depths } = service
  return {
    shown: shownNow(service),
    processes: processesOf(service),
    at: series.at.map(seconds),
    approved: series.approved.map(brief),
    declined: series.declined.map(brief),
    success: series.successRate.map(brief),
    p50: series.p50Seconds.map(brief),
    p99: series.p99Seconds.map(brief),
    depths: depths.map(({ at, waiting, active }) => [seconds(at), waiting, active]),
  }
}

function seconds(instant: Date): number {
  return instant.getTime() / SECOND
}

/** More precise than any screen can show. */
function brief(figure: number | null): number | null {
  return figure === null ? null : Number(figure.toPrecision(4))
}
