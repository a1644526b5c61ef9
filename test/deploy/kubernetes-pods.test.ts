// The pods of the manifests fit the image, the settings, the secret and each other.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { imageConfig, readDockerfile } from '../../scripts/image/dockerfile.ts'
import { buildProgram } from '../../src/cli/program.ts'
import { SETTINGS } from '../../src/config/settings.ts'
import { readConfig } from '../../src/config.ts'
import { SECOND } from '../../src/core/time-units.ts'
import {
  environmentOf,
  GATEWAY_SETTINGS,
  KUBERNETES,
  type Manifest,
  ofKind,
  readKustomization,
  readSettings,
  titleOf,
} from '../support/manifests.ts'

const settings = readSettings()
const image = imageConfig(
  readDockerfile(readFileSync(join(KUBERNETES, '../../Dockerfile'), 'utf8')),
)
const [secret = {}, gateways = {}] = ofKind('Secret')

const PODS = [...ofKind('Deployment'), ...ofKind('Job')]

/** The time for closing connections and the log after the grace. */
const CLOSING_MS = 6 * SECOND

const isSubset = (some: Manifest = {}, all: Manifest = {}) =>
  Object.entries(some).every(([name, value]) => all[name] === value)

describe('the example secret of the repository', () => {
  it('cannot start a process, since its key is public', () => {
    const { SECRETS_KEY } = secret.stringData
    expect(() => readConfig({ SECRETS_KEY })).toThrow('SECRETS_KEY')
  })
})

describe.each(PODS.map((manifest) => [titleOf(manifest), manifest] as const))(
  '%s',
  (_title, manifest) => {
    const pod = manifest.spec.template.spec
    const [container] = pod.containers
    const labels = manifest.spec.template.metadata.labels
    const isJob = manifest.kind === 'Job'

    it('runs one container of our image, with an existing command', () => {
      expect(pod.containers).toHaveLength(1)
      expect(container.image).toBe('lamplighter')
      expect(readKustomization().images.map(({ name }: Manifest) => name)).toEqual(['lamplighter'])
      const commands = buildProgram().commands.map((command) => command.name())
      expect(commands).toContain(container.args[0])
      expect(container.command).toBeUndefined()
    })

    it('has settings that the service reads, and no others', () => {
      const environment = environmentOf(container)
      const config = readConfig({ ...image.environment, ...environment })
      expect(config).toMatchObject({
        databaseUrl: secret.stringData.DATABASE_URL,
        redis: { kind: 'single', url: secret.stringData.REDIS_URL },
        publicUrl: 'https://pay.example.com',
        drainMs: 10 * SECOND,
        graceMs: 30 * SECOND,
      })
      const known = Object.values(SETTINGS).map(({ name }) => name as string)
      expect(Object.keys(environment).filter((name) => !known.includes(name))).toEqual([])
    })

    it('takes only existing keys of the secret, each under its own name', () => {
      for (const { name, valueFrom } of container.env) {
        if (valueFrom === undefined) continue
        expect(valueFrom.secretKeyRef).toMatchObject({ name: secret.metadata.name, key: name })
        expect(Object.keys(secret.stringData)).toContain(name)
      }
      const [generated] = readKustomization().configMapGenerator
      const ofGateways = { secretRef: { name: gateways.metadata.name, optional: true } }
      expect(container.envFrom).toEqual([
        { configMapRef: { name: generated.name } },
        ...(isJob ? [] : [ofGateways]),
      ])
      const secrets = [...Object.keys(secret.stringData), ...Object.keys(gateways.stringData)]
      expect(Object.keys(settings).filter((name) => secrets.includes(name))).toEqual([])
    })

    it('has no permission that it does not need', () => {
      expect(pod).toMatchObject({
        automountServiceAccountToken: false,
        securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
      })
      expect(container.securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      })
      expect(pod.serviceAccountName).toBeUndefined()
    })

    it('can write where the service writes', () => {
      const mounts = container.volumeMounts.map(({ mountPath }: Manifest) => mountPath)
      expect(mounts).toEqual([image.environment.DATA_DIR, '/tmp'])
      const names = container.volumeMounts.map(({ name }: Manifest) => name)
      expect(pod.volumes.map(({ name }: Manifest) => name)).toEqual(names)
    })

    it('requests the measured resources, and has a memory limit', () => {
      const { requests, limits } = container.resources
      expect(Object.keys(requests)).toEqual(['cpu', 'memory'])
      expect(Object.keys(limits)).toEqual(['memory'])
    })

    it('is allowed to reach the stores', () => {
      const policy = ofKind('NetworkPolicy').find(
        ({ metadata }) => metadata.name === 'lamplighter-stores',
      )
      expect(labels).toMatchObject(policy?.spec.podSelector.matchLabels)
      const ports = policy?.spec.egress.flatMap(({ ports }: Manifest) =>
        ports.map(({ port }: Manifest) => port),
      )
      const urls = [secret.stringData.DATABASE_URL, secret.stringData.REDIS_URL]
      expect(ports).toEqual(expect.arrayContaining(urls.map((url) => Number(new URL(url).port))))
    })

    if (isJob) return

    it('can have every setting that is a secret', () => {
      if (isJob) return
      const names = container.env.map(({ name }: Manifest) => name)
      const wanted = Object.keys(secret.stringData).filter(
        // Lists and the console are the API server's alone.
        (name) => container.name === 'api' || !/^(READ_DATABASE_URL|ADMIN_PASSWORD)$/.test(name),
      )
      expect(names).toEqual(expect.arrayContaining(wanted))
    })

    it('can have the keys of each live gateway, and reaches it', () => {
      expect(Object.keys(gateways.stringData)).toEqual(GATEWAY_SETTINGS)
      const ports = ofKind('NetworkPolicy')
        .filter(({ spec }) => isSubset(spec.podSelector.matchLabels, labels))
        .flatMap(({ spec }) => (spec.egress ?? []) as Manifest[])
        .filter(({ to }) => to.some(({ ipBlock }: Manifest) => ipBlock?.cidr === '0.0.0.0/0'))
        .flatMap(({ ports }) => ports.map(({ port }: Manifest) => port))
      expect(ports).toContain(443)
    })

    it('selects its own pods, and spreads them', () => {
      const { matchLabels } = manifest.spec.selector
      expect(labels).toMatchObject(matchLabels)
      const constraints = pod.topologySpreadConstraints as Manifest[]
      expect(constraints.map(({ topologyKey }) => topologyKey)).toEqual([
        'topology.kubernetes.io/zone',
        'kubernetes.io/hostname',
      ])
      for (const { labelSelector } of constraints) expect(labelSelector).toEqual({ matchLabels })
      const others = ofKind('Deployment').filter((one) => one !== manifest)
      expect(others.map(({ spec }) => spec.selector.matchLabels)).not.toContainEqual(matchLabels)
    })

    it('is replaced one by one, by ready pods', () => {
      expect(manifest.spec.replicas).toBe(2)
      expect(manifest.spec.strategy.rollingUpdate).toEqual({ maxUnavailable: 0, maxSurge: 1 })
      const budget = budgetOf(manifest)
      expect(budget?.spec).toMatchObject({
        maxUnavailable: 1,
        unhealthyPodEvictionPolicy: 'AlwaysAllow',
      })
    })

    it('has more time to end than it takes', () => {
      const { drainMs, graceMs } = readConfig(environmentOf(container))
      const takesMs = drainMs + graceMs + CLOSING_MS
      expect(pod.terminationGracePeriodSeconds * SECOND).toBeGreaterThan(takesMs)
      expect(container.lifecycle).toBeUndefined()
    })

    it('is probed where it listens', () => {
      const config = readConfig({ ...image.environment, ...environmentOf(container) })
      const [port, operators] = container.ports
      expect(operators?.containerPort).toBe(config.adminPort)
      expect(port.containerPort).toBe(port.name === 'http' ? config.port : config.workerPort)
      const paths = ['startupProbe', 'readinessProbe', 'livenessProbe'].map((probe) => {
        expect(container[probe].httpGet.port).toBe(port.name)
        return container[probe].httpGet.path
      })
      expect(paths).toEqual(['/healthz', '/readyz', '/healthz'])
    })

    it('gets no more requests before it stops serving', () => {
      const { readinessProbe } = container
      const noticedMs = readinessProbe.periodSeconds * readinessProbe.failureThreshold * SECOND
      if (container.ports[0].name === 'http') {
        expect(readConfig(environmentOf(container)).drainMs).toBeGreaterThan(noticedMs)
      }
    })
  },
)

function budgetOf({ spec }: Manifest): Manifest | undefined {
  const labels = JSON.stringify(spec.selector.matchLabels)
  return ofKind('PodDisruptionBudget').find(
    (one) => JSON.stringify(one.spec.selector.matchLabels) === labels,
  )
}
