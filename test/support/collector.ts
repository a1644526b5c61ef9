// A collector of traces in this process, which keeps the spans that it gets.

import { openReceiver, type Receiver } from './receiver.ts'
import { soon } from './soon.ts'

export interface CollectedSpan {
  readonly name: string
  /** 2 server, 3 client, 5 consumer, as in OTLP. */
  readonly kind: number
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId: string | undefined
  /** 2 stands for a failure. */
  readonly status: number | undefined
  readonly attributes: Readonly<Record<string, string | number | boolean>>
  /** The process: its service and its pid. */
  readonly resource: Readonly<Record<string, string | number | boolean>>
}

export interface Collector extends AsyncDisposable {
  readonly receiver: Receiver
  /** For OTEL_EXPORTER_OTLP_ENDPOINT. */
  readonly url: string
  spans(): readonly CollectedSpan[]
  /** Resolves once a matching span is there. */
  until(passes: (span: CollectedSpan) => boolean): Promise<CollectedSpan>
}

export async function openCollector(): Promise<Collector> {
  const receiver = await openReceiver()
  const spans = () => receiver.received.flatMap(({ body }) => spansIn(JSON.parse(body)))
  return {
    receiver,
    url: `http://127.0.0.1:${receiver.port}`,
    spans,
    until: (passes) =>
      soon(() => {
        const found = spans().find(passes)
        if (found === undefined) {
          throw new Error(`none passes: ${spans().map(({ name }) => name)}`)
        }
        return found
      }),
    [Symbol.asyncDispose]: () => receiver.close(),
  }
}

interface Named {
  readonly key: string
  readonly value: Readonly<Record<string, string | number | boolean>>
}

interface Export {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Named[] }
    readonly scopeSpans: readonly { readonly spans: readonly SentSpan[] }[]
  }[]
}

interface SentSpan extends Omit<CollectedSpan, 'attributes' | 'resource' | 'status'> {
  readonly attributes: readonly Named[]
  readonly status?: { readonly code?: number }
}

function spansIn({ resourceSpans }: Export): readonly CollectedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map(({ name, kind, traceId, spanId, parentSpanId, status, attributes }) => ({
        name,
        kind,
        traceId,
        spanId,
        parentSpanId,
        status: status?.code,
        attributes: byName(attributes),
        resource: byName(resource.attributes),
      })),
    ),
  )
}

function byName(all: readonly Named[]) {
  return Object.fromEntries(all.map(({ key, value }) => [key, Object.values(value)[0] ?? '']))
}
