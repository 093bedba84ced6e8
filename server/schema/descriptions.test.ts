import { describe, expect, test } from 'vitest';
import { descriptionOf, parseDeclaration } from './descriptions.ts';
import { definitions } from './load.ts';
import { definitionsOfVersion2 } from './openapi-definitions.ts';
import { ownDescriptions } from './own-descriptions.ts';

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

  test('a field whose name the language does not take has the words of its stand-in', () => {
    const schema = descriptionOf('io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps');
    expect(schema.properties.get('default')).toBeTruthy();
    expect(schema.properties.get('x-kubernetes-list-map-keys')).toBeTruthy();
  });

  test('every definition and every field of every built-in kind has one that says something', () => {
    const lacking = Object.entries(definitionsOfVersion2()).flatMap(([name, { description: own, properties = {} }]) => [
      ...(own ? [] : [name]),
      ...Object.entries(properties as Record<string, { description?: string }>)
        .filter(([, { description }]) => !description || /^The field \S+ of /.test(description))
        .map(([field]) => `${name}.${field}`),
    ]);
    expect(lacking).toEqual([]);
  });

  test('words of our own stand only where others are lacking', () => {
    const names = Object.keys(definitions());
    const needless = Object.entries(ownDescriptions).flatMap(([short, fields]) =>
      names
        .filter((name) => name.endsWith(`.${short}`))
        .flatMap((name) => {
          const { text, properties } = descriptionOf(name);
          return Object.keys(fields).filter((field) => (field ? properties.has(field) : text !== undefined));
        })
        .map((field) => `${short}.${field}`),
    );
    expect(needless).toEqual([]);
  });
});
