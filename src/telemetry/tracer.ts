// Where time goes, as spans of a trace. Without an exporter nothing is traced, and nothing is paid
// for it.

/** Never a secret, and nothing of a card: whoever reads traces is not who may read those. */
export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>

export interface SpanAbout {
  readonly name: string
  readonly kind: 'server' | 'producer' | 'consumer' | 'client' | 'internal'
  readonly attributes?: Attributes
  /**
   * What it continues: `carried` of the process that began it, or a `traceparent` header. Without
   * one it continues the span that it is begun in, where there is one.
   */
  readonly parent?: string | undefined
}

export interface TraceSpan {
  /** What runs in `act`, and whatever it waits for, belongs to the span. */
  run<T>(act: () => T): T
  /** The first end counts. */
  end(attributes?: Attributes, error?: unknown): void
}

export interface Tracer {
  /** False where nothing is traced: nobody need go out of their way for it. */
  readonly isOn: boolean
  begin(about: SpanAbout): TraceSpan
  /** A span for as long as `act` takes, which ends with what `told` makes of it; it fails as `act` does. */
  span<T>(about: SpanAbout, act: () => Promise<T>, told?: (outcome: T) => Attributes): Promise<T>
  /** The span under way, as W3C `traceparent`, for whoever continues it elsewhere. */
  carried(): string | undefined
  /** Hands over what is left, for a bounded time; never throws. */
  close(): Promise<void>
}

const NO_SPAN: TraceSpan = { run: (act) => act(), end: () => {} }

export const noTracer: Tracer = {
  isOn: false,
  begin: () => NO_SPAN,
  span: (_about, act) => act(),
  carried: () => undefined,
  close: async () => {},
}

interface TracerWishes {
  readonly otlpUrl: string | undefined
  readonly otlpHeaders: Readonly<Record<string, string>> | undefined
  readonly serviceName: string
}

/** The tracer that the settings ask for. */
export async function openTracer(
  { otlpUrl, otlpHeaders, serviceName }: TracerWishes,
  version: string,
  log: { warn(about: object, message: string): void },
): Promise<Tracer> {
  if (otlpUrl === undefined) return noTracer
  const { otlpTracer } = await import('./otlp-tracer.ts')
  return otlpTracer({ url: otlpUrl, headers: otlpHeaders, serviceName, version, log })
}
