// The charts of the last ten minutes. They are drawn by script; what each tells is said in words
// beside it, too, for who cannot see it and for whom no script runs.

import { Live } from './live.tsx'
import type { ShownFigures } from './shown-now.ts'

interface Chart {
  readonly name: string
  readonly title: string
  readonly lines: readonly (readonly [key: string, words: string])[]
}

const CHARTS: readonly Chart[] = [
  {
    name: 'charges',
    title: 'Charges a second',
    lines: [
      ['approved', 'approved'],
      ['declined', 'declined'],
    ],
  },
  { name: 'success', title: 'Approval rate', lines: [['success', 'approved']] },
  {
    name: 'latency',
    title: 'Latency',
    lines: [
      ['p50', 'median'],
      ['p99', 'p99'],
    ],
  },
  {
    name: 'depth',
    title: 'Jobs in the queues',
    lines: [
      ['waiting', 'waiting'],
      ['active', 'active'],
    ],
  },
]

export function Charts({ of }: { of: ShownFigures }) {
  return (
    <section class="charts" aria-label="The last ten minutes">
      {CHARTS.map(({ name, title, lines }) => (
        <figure key={name} class="card chart">
          <figcaption>
            <h2>{title}</h2>
            <p class="quiet" id={`${name}-words`}>
              <Live name={`chart.${name}`} of={of} />
            </p>
            <ul class="key">
              {lines.map(([key, words]) => (
                <li key={key} data-line={key}>
                  {words} <b class="number" data-value={key} />
                </li>
              ))}
            </ul>
          </figcaption>
          <div
            class="plot"
            data-chart={name}
            role="img"
            aria-label={`Chart: ${title}`}
            aria-describedby={`${name}-words`}
          />
        </figure>
      ))}
    </section>
  )
}
