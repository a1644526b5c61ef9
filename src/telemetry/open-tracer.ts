// Opens the tracer of the settings. OpenTelemetry's libraries are loaded only if an address is set.

import { noTracer, type Tracer } from './tracer.ts'

interface TracerOptions {
  readonly otlpUrl: string | undefined
  readonly otlpHeaders: Readonly<Record<string, string>> | undefined
  readonly serviceName: string
}

export async function openTracer(
  { otlpUrl, otlpHeaders, serviceName }: TracerOptions,
  version: string,
  log: { warn(about: object, message: string): void },
): Promise<Tracer> {
  if (otlpUrl === undefined) return noTracer
  const { otlpTracer } = await import('./otlp-tracer.ts')
  return otlpTracer({ url: otlpUrl, headers: otlpHeaders, serviceName, version, log })
}
