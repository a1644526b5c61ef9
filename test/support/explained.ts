// The plans with which the database runs statements.

import type pg from 'pg'
import type { Query } from '../../src/db/database.ts'

export interface PlanNode {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Index Name'?: string
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly 'Shared Hit Blocks': number
  readonly 'Shared Read Blocks': number
  readonly Plans?: readonly PlanNode[]
}

export interface Explained {
  readonly text: string
  readonly ms: number
  readonly planMs: number
  readonly nodes: readonly PlanNode[]
  /** The pages that were read. */
  readonly buffers: number
}

/** Runs statements as the world does, and keeps the plan of each. */
export function explaining(client: pg.Client, kept: Explained[]): Query {
  return async (text, values = []) => {
    const explain = `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`
    const [row] = (await client.query(explain, [...values])).rows
    const { Plan: plan, 'Execution Time': ms, 'Planning Time': planMs } = row['QUERY PLAN'][0]
    const buffers = plan['Shared Hit Blocks'] + plan['Shared Read Blocks']
    kept.push({ text, ms, planMs, nodes: nodesOf(plan), buffers })
    return (await client.query(text, [...values])).rows
  }
}

export function nodesOf(plan: PlanNode): readonly PlanNode[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]
}

/** The most rows in any sort. */
export function mostSorted(nodes: readonly PlanNode[]): number {
  const sorts = nodes.filter((node) => /Sort$/.test(node['Node Type']))
  const given = sorts.map((sort) => (sort.Plans ?? []).map(rowsOf).reduce((a, b) => a + b, 0))
  return Math.max(0, ...given)
}

function rowsOf(node: PlanNode): number {
  return node['Actual Rows'] * node['Actual Loops']
}
