// The manifests: each is valid by its schema, without misspelt fields.

import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { ScaledObject } from '@kubernetes-models/keda/keda.sh/v1alpha1'
import { Deployment } from 'kubernetes-models/apps/v1'
import { HorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2'
import { Job } from 'kubernetes-models/batch/v1'
import { Ingress, NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1'
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1'
import { Namespace, Secret, Service } from 'kubernetes-models/v1'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import {
  fieldsOf,
  KUBERNETES,
  knownFields,
  MANIFESTS,
  type Manifest,
  ofKind,
  readKustomization,
  readManifests,
  titleOf,
} from '../support/manifests.ts'

/** The models of kubernetes-models, and of KEDA. There is none for a PodMonitor. */
const MODELS = {
  Deployment,
  HorizontalPodAutoscaler,
  Ingress,
  Job,
  Namespace,
  NetworkPolicy,
  PodDisruptionBudget,
  ScaledObject,
  Secret,
  Service,
} as const

describe('every manifest', () => {
  it.each(MANIFESTS.map((manifest) => [titleOf(manifest), manifest] as const))(
    '%s is valid',
    (_title, manifest) => {
      if (manifest.kind === 'PodMonitor') {
        expect(manifest.apiVersion).toBe('monitoring.coreos.com/v1')
        return
      }
      const Model = MODELS[manifest.kind as keyof typeof MODELS]
      const { apiVersion, kind } = Model
      expect({ apiVersion: manifest.apiVersion, kind: manifest.kind }).toEqual({ apiVersion, kind })
      // @ts-expect-error: what is to be found out is whether it is of this shape
      new Model(manifest).validate()
    },
  )

  it('has only fields that Kubernetes knows', () => {
    const known = knownFields()
    const used = MANIFESTS.filter(({ kind }) => kind !== 'PodMonitor').flatMap((one) =>
      fieldsOf(one),
    )
    expect(used.filter((field) => !known.has(field))).toEqual([])
    expect(new Set(used).size).toBeGreaterThan(80)
    expect(known.has('readinesProbe')).toBe(false)
  })

  it('is refused if it is wrong, as a control', () => {
    const [deployment] = ofKind('Deployment')
    const wrong = { ...deployment, spec: { ...deployment?.spec, replicas: '2' } }
    expect(() => new Deployment(wrong as never).validate()).toThrow('replicas must be integer')
  })

  it('has a name of its own', () => {
    const titles = MANIFESTS.map(titleOf)
    expect(new Set(titles).size).toBe(titles.length)
  })

  it('is listed by its kustomization, except for the example secret', () => {
    const folders = ['.', ...componentFolders()]
    const listed = folders.flatMap((folder) =>
      (readKustomization(folder).resources as string[]).map((path) => join(folder, path)),
    )
    const example = 'optional/secrets.example.yaml'
    expect([...listed, example].sort()).toEqual(
      readManifests()
        .map(({ path }) => path)
        .sort(),
    )
  })

  it('that needs more of a cluster is optional', () => {
    expect(readKustomization().components).toBeUndefined()
    expect(componentFolders().length).toBeGreaterThan(2)
    const kinds = componentFolders().map((folder) => readKustomization(folder).kind)
    expect(new Set(kinds)).toEqual(new Set(['Component']))
  })
})

describe('the certificates of authorities', () => {
  const [{ target, patch }] = readKustomization('optional/authorities').patches
  const added: Manifest[] = parse(patch)

  it('are added where every pod that needs them has such a list already', () => {
    const kinds = target.kind.split('|')
    expect(kinds).toEqual(['Deployment', 'Job'])
    for (const manifest of kinds.flatMap(ofKind)) {
      for (const { path } of added) expect(listAt(manifest, path)).toBeInstanceOf(Array)
    }
  })

  it('are read from the file that the comment makes', () => {
    const [{ configMap, name }, mount, variable] = added.map(({ value }) => value)
    expect(mount).toEqual({ name, mountPath: dirname(variable.value), readOnly: true })
    expect(variable.name).toBe('NODE_EXTRA_CA_CERTS')
    const text = readFileSync(join(KUBERNETES, 'optional/authorities/kustomization.yaml'), 'utf8')
    expect(text).toContain(
      `create configmap ${configMap.name} --from-file=${basename(variable.value)}\n`,
    )
  })
})

/** What a JSON pointer to the end of a list appends to. */
function listAt(manifest: Manifest, path: string): unknown {
  const steps = path.split('/').slice(1, -1)
  return steps.reduce((part, step) => part[step], manifest)
}

/** The folders that the comment about optional parts names. */
function componentFolders(): readonly string[] {
  const text = readFileSync(join(KUBERNETES, 'kustomization.yaml'), 'utf8')
  const folders = [...text.matchAll(/^# {3}- (optional\/\S+)$/gm)].map(([, folder = '']) => folder)
  return folders.filter((folder) => existsSync(join(KUBERNETES, folder)))
}
