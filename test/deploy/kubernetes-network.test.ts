// Which pods may reach which on Kubernetes, and what sets their number.

import { describe, expect, it } from 'vitest'
import { QUEUE_NAMES } from '../../src/queue/catalogue.ts'
import { openMetrics } from '../../src/telemetry/metrics.ts'
import { DUE_KINDS } from '../../src/upkeep/due-by-kind.ts'
import {
  MANIFESTS,
  type Manifest,
  ofKind,
  readKustomization,
  titleOf,
} from '../support/manifests.ts'

describe('the network', () => {
  it('is closed, except for what the policies open', () => {
    const [denyAll] = ofKind('NetworkPolicy').filter(
      ({ spec }) => spec.ingress === undefined && spec.egress === undefined,
    )
    expect(denyAll?.spec).toEqual({ podSelector: {}, policyTypes: ['Ingress', 'Egress'] })
  })

  it('is opened at existing ports', () => {
    const policies = ofKind('NetworkPolicy').filter(({ spec }) => spec.ingress !== undefined)
    expect(policies.length).toBeGreaterThan(1)
    for (const { spec } of policies) {
      const ports = spec.ingress.flatMap(({ ports }: Manifest) =>
        ports.map(({ port }: Manifest) => port),
      )
      expect(ports).toEqual(portsOf(spec.podSelector.matchLabels))
    }
  })

  it('leads requests to the API server, and none to the console', () => {
    const [service] = ofKind('Service').filter(({ spec }) => spec.selector !== undefined)
    expect(service?.spec.ports.map(({ targetPort }: Manifest) => targetPort)).toEqual(['http'])
    expect(portsOf(service?.spec.selector)).toEqual(['http', 'operators'])
    const paths = ofKind('Ingress')[0]?.spec.rules[0].http.paths as Manifest[]
    const backends = Object.fromEntries(
      paths.map(({ path, backend }) => [path, backend.service.name]),
    )
    expect(backends).toEqual({ '/': service?.metadata.name })
    // The policy that admits the ingress controller admits it at that port alone.
    const [policy] = ofKind('NetworkPolicy').filter(
      ({ metadata }) => metadata.name === 'lamplighter-api',
    )
    const ports = policy?.spec.ingress.map(({ from, ports }: Manifest) => [
      from[0].namespaceSelector.matchLabels['kubernetes.io/metadata.name'],
      ports[0].port,
    ])
    expect(ports).toEqual([
      ['ingress-nginx', 'http'],
      ['monitoring', 'operators'],
    ])
  })

  it('is scraped where there are metrics', () => {
    const monitors = MANIFESTS.filter(({ kind }) => kind === 'PodMonitor')
    expect(monitors).toHaveLength(2)
    for (const { spec } of monitors) {
      expect(portsOf(spec.selector.matchLabels).slice(-1)).toEqual(
        spec.podMetricsEndpoints.map(({ port }: Manifest) => port),
      )
    }
  })
})

describe('the number of pods', () => {
  it.each(
    [...ofKind('HorizontalPodAutoscaler'), ...ofKind('ScaledObject')].map(
      (one) => [titleOf(one), one] as const,
    ),
  )('is set by %s for an existing deployment, and never below two', (_title, { spec }) => {
    const target = ofKind('Deployment').find(
      ({ metadata }) => metadata.name === spec.scaleTargetRef.name,
    )
    expect(target).toBeDefined()
    expect(spec.minReplicas ?? spec.minReplicaCount).toBe(2)
    const removed = (readKustomization('optional/autoscaling').patches as Manifest[]).map(
      ({ target }) => target.name,
    )
    expect(removed).toContain(spec.scaleTargetRef.name)
  })

  it('follows existing metrics, queues and kinds', async () => {
    const queries = ofKind('ScaledObject')[0]
      ?.spec.triggers.map(({ metadata }: Manifest) => metadata.query)
      .join('\n')
    const names = [...queries.matchAll(/lamplighter_\w+/g)].map(([name]) => name)
    expect(names).toEqual(['lamplighter_queue_jobs', 'lamplighter_oldest_due_seconds'])
    const known = openMetrics('0')
      .registry.getMetricsAsArray()
      .map(({ name }) => name)
    expect(names.filter((name) => !known.includes(name))).toEqual([])
    const [, queues = ''] = /queue=~"([^"]+)"/.exec(queries) ?? []
    const unknown = queues.split('|').filter((name) => !QUEUE_NAMES.some((queue) => queue === name))
    expect(unknown).toEqual([])
    const [, kinds = ''] = /kind=~"([^"]+)"/.exec(queries) ?? []
    expect(kinds.split('|').filter((name) => !DUE_KINDS.some((kind) => kind === name))).toEqual([])
    expect(queries).toMatch(/state=~"waiting\|active"/)
  })
})

function portsOf(labels: Readonly<Record<string, string>>): readonly string[] {
  const pods = ofKind('Deployment').map(({ spec }) => spec.template)
  const chosen = pods.filter(({ metadata }) =>
    Object.entries(labels).every(([name, value]) => metadata.labels[name] === value),
  )
  return chosen.flatMap(({ spec }) => spec.containers[0].ports.map(({ name }: Manifest) => name))
}
