// The series of a PromQL expression.

import { parser } from '@prometheus-io/lezer-promql'

interface Selector {
  readonly metric: string
  /** The requested values by label, as they are written: `charge|refund`. */
  readonly matchers: readonly (readonly [label: string, value: string])[]
}

export interface Expression {
  /** The parts that do not parse. */
  readonly faults: readonly string[]
  readonly selectors: readonly Selector[]
  /** The labels that it groups by, or joins on. */
  readonly groupedBy: readonly string[]
}

/** Grafana's variables are filled in before Prometheus sees them. */
export function readExpression(written: string): Expression {
  const text = written.replaceAll('$__rate_interval', '5m').replaceAll('$__range', '1h')
  const faults: string[] = []
  const groupedBy: string[] = []
  const selectors: { metric: string; matchers: (readonly [string, string])[] }[] = []
  let label = ''
  parser.parse(text).iterate({
    enter({ type, name, from, to, node }) {
      const said = text.slice(from, to)
      if (type.isError) faults.push(`${text.slice(0, from)}⟨here⟩${text.slice(from)}`)
      if (name === 'VectorSelector') selectors.push({ metric: '', matchers: [] })
      const selector = selectors.at(-1)
      if (name === 'Identifier' && selector !== undefined) selector.metric = said
      if (name === 'LabelName') {
        if (node.parent?.name === 'GroupingLabels') groupedBy.push(said)
        label = said
      }
      if (name === 'StringLiteral' && node.parent?.name === 'UnquotedLabelMatcher') {
        selector?.matchers.push([label, said.slice(1, -1)])
      }
    },
  })
  return { faults, selectors, groupedBy }
}
