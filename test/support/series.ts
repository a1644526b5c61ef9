// The service's own series, as a scrape gets them.

import type { Metrics } from '../../src/telemetry/metrics.ts'

export interface MetricSample {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

const LINE = /^(\w+)(?:\{(.*)\})? (\S+)$/
const LABEL = /(\w+)="((?:[^"\\]|\\.)*)"/g

/** Parses Prometheus' text. */
export function samplesOf(text: string): readonly MetricSample[] {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return lines.map((line) => {
    const [, name = '', labels = '', value] = LINE.exec(line) ?? []
    const pairs = [...labels.matchAll(LABEL)].map(([, key = '', text = '']) => [key, text])
    return { name, labels: Object.fromEntries(pairs), value: Number(value) }
  })
}

/** The counts so far, such as `payments_total{outcome="approved",type="charge"}`. */
export async function countsOf({ registry }: Metrics): Promise<Readonly<Record<string, number>>> {
  const counts = samplesOf(await registry.metrics()).filter(({ name }) =>
    /^lamplighter_.*_(total|count)$/.test(name),
  )
  return Object.fromEntries(counts.map((sample) => [nameOf(sample), sample.value]))
}

/** The increases since then, without unchanged series. */
export function movedSince(
  before: Readonly<Record<string, number>>,
  now: Readonly<Record<string, number>>,
): Readonly<Record<string, number>> {
  const moved = Object.entries(now).map(([name, value]) => [name, value - (before[name] ?? 0)])
  return Object.fromEntries(moved.filter(([, by]) => by !== 0))
}

function nameOf({ name, labels }: MetricSample): string {
  const written = Object.entries(labels)
    .map(([label, value]) => `${label}="${value}"`)
    .sort()
  return `${name.replace('lamplighter_', '')}{${written.join()}}`
}
