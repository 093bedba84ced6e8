import { defineRule, type Rule } from '../rule.ts';
import { changeAnswer } from '../sabotage/transforms.ts';
import type { Json } from '../verbs/client.ts';

interface Published {
  readonly id: string;
  /** Of a named group, such as `batch/v1`. */
  readonly groupVersion: string;
  /** The name of the shape. */
  readonly shape: string;
  /** Where in the shape, joined by dots. */
  readonly path: string;
  /** What stands there, or is among what stands there. */
  readonly value: string;
  /** Genuine servers of some releases do not mark it. */
  readonly unmarkedToo?: boolean;
}

/** What the documents mark in a shape is marked in what the server publishes of it. */
export function publishedRule({ id, groupVersion, shape, path, value, unmarkedToo = false }: Published): Rule {
  const document = `/openapi/v3/apis/${groupVersion}`;
  const steps = path.split('.');
  return defineRule(id, {
    sabotage: changeAnswer(
      `says nothing of ${path}`,
      (body) => without(body, ['components', 'schemas', shape, ...steps]),
      {
        path: new RegExp(`^${document}$`),
      },
    ),
    async check({ send, looser, expect }) {
      const { status, body } = await send('GET', document);
      expect(status, document).toBe(200);
      const published = body?.components?.schemas?.[shape];
      const found = steps.reduce((part, step) => part?.[step], published);
      const isMarked = (): void => expect([found].flat(), `${path} of ${shape}`).toContain(value);
      expect(published, shape).toBeTypeOf('object');
      if (unmarkedToo) await looser(isMarked);
      else isMarked();
    },
  });
}

function without(object: Json, [step = '', ...rest]: readonly string[]): Json {
  const { [step]: part, ...others } = object ?? {};
  return rest.length === 0 || part === undefined ? others : { ...others, [step]: without(part, rest) };
}
