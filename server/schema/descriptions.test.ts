import { describe, expect, test } from 'vitest';
import { descriptionOf, parseDeclaration } from './descriptions.ts';
import { definitionsOfVersion2 } from './openapi-definitions.ts';

describe('descriptions', () => {
  test('are the comments before a class and its members', () => {
    const source = [
      '/**',
      '* What it is.',
      '*/',
      'export declare class V1Thing {',
      '    /**',
      "    * It's \\'so\\'.",
      '    * And more.',
      '    */',
      "    'one'?: string;",
      "    'two': V1Other;",
      '}',
    ];
    expect(parseDeclaration(source.join('\n'))).toEqual({
      text: 'What it is.',
      properties: new Map([['one', "It's 'so'.\nAnd more."]]),
    });
  });

  test.each([
    ['io.k8s.api.core.v1.PodSpec', 'nodeName'],
    ['io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta', 'labels'],
    ['io.k8s.api.flowcontrol.v1beta2.FlowSchemaSpec', 'matchingPrecedence'],
    ['io.k8s.api.events.v1.Event', 'reportingController'],
  ])('%s.%s has one', (definition, property) => {
    expect(descriptionOf(definition).text).toBeTruthy();
    expect(descriptionOf(definition).properties.get(property)).toMatch(/\w+ \w+/);
  });

  test('what nothing is known of has none', () => {
    expect(descriptionOf('io.example.v1.Nothing')).toEqual({ text: undefined, properties: new Map() });
  });

  test('every field of every built-in kind has one', () => {
    const lacking = Object.entries(definitionsOfVersion2()).flatMap(([name, { properties = {} }]) =>
      Object.entries(properties as Record<string, { description?: string }>)
        .filter(([, { description }]) => !description)
        .map(([field]) => `${name}.${field}`),
    );
    expect(lacking).toEqual([]);
  });
});
