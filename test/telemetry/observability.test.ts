// The dashboard and the alerts use existing metrics, in expressions that Prometheus understands,
// and each alert has a chapter that says what to do.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { QUEUE_NAMES } from '../../src/queue/catalogue.ts'
import { openMetrics } from '../../src/telemetry/metrics.ts'
import { DUE_KINDS, PARKED_KINDS } from '../../src/upkeep/due-by-kind.ts'
import { PARTS } from '../../src/upkeep/service-gauges.ts'
import { readExpression } from '../support/promql.ts'

const ROOT = join(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')

interface Rule {
  readonly alert: string
  readonly expr: string
  readonly for?: string
  readonly labels: { readonly severity: string }
  readonly annotations: Readonly<Record<string, string>>
}

interface Panel {
  readonly id: number
  readonly type: string
  readonly title: string
  readonly gridPos: Readonly<Record<'x' | 'y' | 'w' | 'h', number>>
  readonly datasource?: { readonly uid: string }
  readonly targets?: readonly { readonly expr: string; readonly legendFormat: string }[]
}

const groups: readonly { readonly name: string; readonly rules: readonly Rule[] }[] = parse(
  read('deploy/observability/alerts.yaml'),
).groups
const rules = groups.flatMap((group) => group.rules)
const dashboardText = read('deploy/observability/grafana-dashboard.json')
const dashboard = JSON.parse(dashboardText)
const panels: readonly Panel[] = dashboard.panels
const drawn = panels.flatMap(({ title, targets = [] }) =>
  targets.map(({ expr, legendFormat }) => ({ name: title, expr, legend: legendFormat })),
)

const EXPRESSIONS: readonly (readonly [string, string])[] = [
  ...rules.map(({ alert, expr }) => [alert, expr] as const),
  ...drawn.map(({ name, expr }, at) => [`${name} (${at})`, expr] as const),
  ...dashboard.annotations.list.map(({ name, expr }: { name: string; expr: string }) => [
    name,
    expr,
  ]),
]

/** Every series gets these labels from Prometheus. */
const SCRAPED = ['job', 'instance']

/** All values of our labels that have a limited number. */
const VALUES: Readonly<Record<string, readonly string[]>> = {
  kind: [...DUE_KINDS, ...PARKED_KINDS],
  queue: QUEUE_NAMES,
  role: ['start', 'api', 'worker'],
  state: ['waiting', 'active', 'delayed', 'failed', 'busy', 'idle'],
  type: ['charge', 'pre_auth', 'capture', 'void', 'refund'],
  outcome: ['approved', 'declined', 'not_made'],
  question: ['carry_out', 'look_up', 'close_batch'],
  result: ['done', 'snooze', 'cancel', 'failed'],
  channel: ['email', 'sms', 'webhook'],
  answer: [
    ...[
      'approved',
      'declined',
      'undecided',
      'turned_away',
      'never_made',
      'told',
      'silent',
      'not_asked',
    ],
    ...['taken', 'refused', 'failed', 'throttled', 'away'],
  ],
  reason: ['work', 'payments'],
  part: PARTS.map(([part]) => part),
}

/** The labels of each series, by its name. */
let answered: ReadonlyMap<string, readonly string[]>

beforeAll(async () => {
  const { registry } = openMetrics('1.0.0')
  const series = new Map<string, readonly string[]>([['up', SCRAPED]])
  for (const metric of registry.getMetricsAsArray()) {
    const { name, type, labelNames } = metric as unknown as {
      readonly name: string
      readonly type: string
      readonly labelNames: readonly string[]
    }
    const labels = [...SCRAPED, ...labelNames]
    const isHistogram = type === 'histogram'
    if (!isHistogram) series.set(name, labels)
    if (!isHistogram) continue
    series.set(`${name}_bucket`, [...labels, 'le'])
    for (const part of ['sum', 'count']) series.set(`${name}_${part}`, labels)
  }
  answered = series
})

describe.each(EXPRESSIONS)('the expression of %s', (_name, written) => {
  const { faults, selectors, groupedBy } = readExpression(written)

  it('is valid', () => {
    expect(faults).toEqual([])
    expect(selectors.length).toBeGreaterThan(0)
  })

  it('uses existing series, labels and values', () => {
    for (const { metric, matchers } of selectors) {
      const labels = answered.get(metric)
      expect(labels, `${metric} is answered`).toBeDefined()
      for (const [label, value] of matchers) {
        expect(labels).toContain(label)
        const known = VALUES[label]
        if (known !== undefined) expect(known).toEqual(expect.arrayContaining(value.split('|')))
      }
    }
    const all = selectors.flatMap(({ metric }) => answered.get(metric) ?? [])
    expect(all).toEqual(expect.arrayContaining([...groupedBy]))
  })
})

describe('an expression', () => {
  it.each([
    'sum by (queue (rate(lamplighter_queue_jobs[5m]))',
    'lamplighter_queue_jobs{queue=charge}',
    'rate(lamplighter_payments_total[5m]',
  ])('that is wrong would be noticed: %s', (wrong) => {
    expect(readExpression(wrong).faults).not.toEqual([])
  })
})

describe('the alerts', () => {
  it('have unique names, and are in groups', () => {
    const names = rules.map(({ alert }) => alert)
    expect(new Set(names).size).toBe(names.length)
    expect(names.length).toBeGreaterThan(15)
    expect(new Set(groups.map(({ name }) => name)).size).toBe(groups.length)
  })

  it.each(rules.map((rule) => [rule.alert, rule] as const))(
    '%s has its severity, its summary, and a link to its chapter',
    (alert, { annotations, labels, ...rest }) => {
      expect(alert).toMatch(/^Lamplighter[A-Z][A-Za-z]+$/)
      expect(labels).toEqual({ severity: expect.stringMatching(/^(page|ticket)$/) })
      expect(Object.keys(annotations).sort()).toEqual(['description', 'runbook', 'summary'])
      expect(Object.keys(rest).filter((key) => !['alert', 'expr', 'for'].includes(key))).toEqual([])
      if (rest.for !== undefined) expect(rest.for).toMatch(/^\d+[smh]$/)
      expect(annotations.runbook).toBe(`docs/operating.md#${alert.toLowerCase()}`)
      // A label that its series have lost by then would be empty.
      const { groupedBy } = readExpression(rest.expr)
      const isAggregated = /\b(sum|max|min|count)\b/.test(rest.expr)
      const named = [...`${annotations.summary}`.matchAll(/\$labels\.(\w+)/g)].map(([, one]) => one)
      if (isAggregated) expect(groupedBy).toEqual(expect.arrayContaining(named))
    },
  )

  it('notice what waits for a person, and that a role has no process', () => {
    const selectors = rules.flatMap(({ expr }) => readExpression(expr).selectors)
    const valuesOf = (metric: string) =>
      selectors
        .filter((selector) => selector.metric === metric)
        .flatMap(({ matchers }) => matchers.flatMap(([, value]) => value.split('|')))
    // Failed webhooks are their merchants' business.
    const parked = PARKED_KINDS.filter((kind) => kind !== 'webhook')
    expect(valuesOf('lamplighter_parked_rows')).toEqual(expect.arrayContaining(parked))
    expect(valuesOf('lamplighter_processes')).toEqual(expect.arrayContaining(['api', 'worker']))
    expect(selectors.map(({ metric }) => metric)).toContain('lamplighter_gateway_news_lost_total')
  })

  it('each have a chapter', () => {
    const headings = [...read('docs/operating.md').matchAll(/^#+ (.+)$/gm)].map(([, text = '']) =>
      text
        .toLowerCase()
        .replace(/[^\w -]/g, '')
        .replaceAll(' ', '-'),
    )
    const anchors = rules.map(({ annotations }) => annotations.runbook?.split('#')[1])
    expect(headings).toEqual(expect.arrayContaining(anchors))
  })
})

describe('the dashboard', () => {
  it('has panels of different ids and names, none over another', () => {
    const ids = panels.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    const titles = panels.map(({ title }) => title)
    expect(new Set(titles).size).toBe(titles.length)
    for (const [at, one] of panels.entries()) {
      expect(one.gridPos.x + one.gridPos.w).toBeLessThanOrEqual(24)
      const covered = panels.slice(at + 1).filter((other) => overlap(one.gridPos, other.gridPos))
      expect(covered.map(({ title }) => title)).toEqual([])
    }
  })

  it('uses the data source that it is given', () => {
    const uids = [...dashboardText.matchAll(/"uid": "([^"]*)"/g)].map(([, uid]) => uid)
    expect(new Set(uids)).toEqual(new Set(['$' + '{datasource}']))
    const names = dashboard.templating.list.map(({ name }: { name: string }) => name)
    expect(names).toEqual(['datasource', 'job', 'instance'])
  })

  it.each(drawn.map((one) => [one.name, one] as const))(
    '%s names its lines by existing labels',
    (_name, { expr, legend }) => {
      const { groupedBy, selectors } = readExpression(expr)
      const isAggregated = groupedBy.length > 0
      const labels = isAggregated
        ? groupedBy
        : selectors.flatMap(({ metric }) => answered.get(metric) ?? [])
      const named = [...legend.matchAll(/\{\{(\w+)\}\}/g)].map(([, label]) => label)
      expect(labels).toEqual(expect.arrayContaining(named))
    },
  )

  it('shows every metric of the service', () => {
    const shown = new Set(
      EXPRESSIONS.flatMap(([, expr]) => readExpression(expr).selectors).map(({ metric }) => metric),
    )
    // A histogram is answered as three series: one of them is enough.
    const baseOf = (name: string) => name.replace(/_(sum|count|bucket)$/, '')
    const bases = new Set([...shown].map(baseOf))
    const ours = [...answered.keys()].filter((name) => /^lamplighter_/.test(name))
    expect(ours.filter((name) => !bases.has(baseOf(name)))).toEqual([])
  })
})

function overlap(one: Panel['gridPos'], other: Panel['gridPos']): boolean {
  const isApart =
    one.x + one.w <= other.x ||
    other.x + other.w <= one.x ||
    one.y + one.h <= other.y ||
    other.y + other.h <= one.y
  return !isApart
}
