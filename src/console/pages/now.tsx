// The house at this moment: how much it does, how fast, what waits and what is overdue. The page is
// of use as it comes; the script keeps it moving.

import type { FastifyInstance } from 'fastify'
import { SECOND } from '../../core/time-units.ts'
import { type HouseNow, watchHouse } from '../../upkeep/house-now.ts'
import { answerPage } from '../../web/html.ts'
import type { World } from '../../world.ts'
import { ConsolePage } from '../layout.tsx'
import { Charts } from '../now/charts.tsx'
import { Live } from '../now/live.tsx'
import { shownNow } from '../now/shown-now.ts'
import { Backlog, Processes, processCells, Queues } from '../now/tables.tsx'
import { Tiles } from '../now/tiles.tsx'
import { operatorOf } from '../who.ts'

const HIDDEN = { schema: { hide: true } }

export function nowPages(own: FastifyInstance, world: World): void {
  const houseNow = watchHouse(world)
  own.get('/', HIDDEN, async (request, reply) => {
    const house = await houseNow()
    return answerPage(
      reply,
      <ConsolePage
        title="Now"
        place="now"
        operator={operatorOf(request)}
        scripts={['charts.js', 'now.js']}
        styles={['charts.css', 'now.css']}
      >
        <NowPage house={house} />
      </ConsolePage>,
    )
  })
  own.get('/now.json', HIDDEN, async (_request, reply) =>
    reply.header('cache-control', 'no-store').send(movedBy(await houseNow())),
  )
}

function NowPage({ house }: { house: HouseNow }) {
  const shown = shownNow(house)
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
        <Queues of={shown} />
        <Backlog of={shown} />
      </div>
      <Processes rows={processesOf(house)} />
    </>
  )
}

function processesOf({ processes, at }: HouseNow): readonly (readonly string[])[] {
  return processes.map((process) => processCells(process, at))
}

/** What the script puts in place of what is there. Instants are seconds, as charts want them. */
function movedBy(house: HouseNow) {
  const { series, depths } = house
  return {
    shown: shownNow(house),
    processes: processesOf(house),
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

/** Finer than any screen. */
function brief(figure: number | null): number | null {
  return figure === null ? null : Number(figure.toPrecision(4))
}
