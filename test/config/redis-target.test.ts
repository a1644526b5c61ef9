import { describe, expect, it } from 'vitest'
import { type Config, readConfig } from '../../src/config.ts'
import { configFaultsOf } from '../support/settings.ts'

const RIGHT: readonly [string, Config['redis']][] = [
  ['redis://localhost', { kind: 'single', url: 'redis://localhost' }],
  ['rediss://u:p@cache:6380/2', { kind: 'single', url: 'rediss://u:p@cache:6380/2' }],
  ['redis://a:1,redis://b:2', { kind: 'cluster', urls: ['redis://a:1', 'redis://b:2'] }],
  ['rediss://:p@a, rediss://:p@b/', { kind: 'cluster', urls: ['rediss://:p@a', 'rediss://:p@b/'] }],
  [
    'redis+sentinel://one,two:26380,[::1]:7/main',
    {
      kind: 'sentinel',
      sentinels: [
        { host: 'one', port: 26_379 },
        { host: 'two', port: 26_380 },
        { host: '::1', port: 7 },
      ],
      name: 'main',
    },
  ],
  [
    'redis+sentinel://u:p%40ss@one:1/main/3',
    {
      kind: 'sentinel',
      sentinels: [{ host: 'one', port: 1 }],
      name: 'main',
      username: 'u',
      password: 'p@ss',
      db: 3,
    },
  ],
  [
    'redis+sentinel://:p@one:1/main',
    { kind: 'sentinel', sentinels: [{ host: 'one', port: 1 }], name: 'main', password: 'p' },
  ],
]

const WRONG: readonly string[] = [
  'localhost:6379',
  'redis://',
  'redis:///0',
  'redis://localhost/main',
  'http://localhost',
  'redis://a,',
  'redis://a,b:6379',
  'redis://a,rediss://b',
  'redis://a/1,redis://b/1',
  'redis+sentinel://one:1',
  'redis+sentinel:///main',
  'redis+sentinel://one:0/main',
  'redis+sentinel://one:65536/main',
  'redis+sentinel://one,/main',
  'redis+sentinel://one/main/two',
  'redis+sentinel://u:100%@one/main',
]

describe('REDIS_URL', () => {
  it.each(RIGHT)('is read: %s', (url, expected) => {
    expect(readConfig({ REDIS_URL: url }).redis).toEqual(expected)
  })

  it.each(WRONG)('is named when it is wrong: %s', (url) => {
    expect(configFaultsOf({ REDIS_URL: url }).map(({ setting }) => setting)).toEqual(['REDIS_URL'])
  })
})
