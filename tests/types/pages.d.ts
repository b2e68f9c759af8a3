// What the modules of the pages rely on, and what the API sends for a path: api.d.ts is generated from openapi.yaml.
import type { fetchDay } from "../../campus_api/pages/static/menus.js";
import type { currentMeal } from "../../campus_api/pages/static/menu-selection.js";
import type { paths } from "./api";

type Sent<Path extends keyof paths> = paths[Path] extends { get: { responses: { 200: { content: infer Content } } } }
  ? Content extends { "application/json": infer Json }
    ? Json
    : Content[keyof Content]
  : never;
// A path without its first slash, perhaps with a query.
type PathOf<Text extends string> = Text extends `${infer Path}?${string}` ? `/${Path}` : `/${Text}`;

declare global {
  const L: any;
  type Data<Text extends string> = PathOf<Text> extends keyof paths ? Sent<PathOf<Text>> : any;
  type Params = Record<"view" | "q" | "id" | "date" | "meal" | "location" | "open", string | undefined> &
    Record<"label" | "without", string[]>;
  type FetchJson = <Path extends string>(path: Path, signal?: AbortSignal) => Promise<Fetched<Data<Path>>>;
  type Fetched<Json> = { data: Json; headers: Headers };
  type Day = Awaited<ReturnType<typeof fetchDay>> & {
    index: Data<"">;
    now: (location?: string) => ReturnType<typeof currentMeal>;
  };
  type Dish = Data<"dining/dishes">[number];
  type Facts = Dish["facts"];
  type Building = Data<"map/buildings">[number] & { distance?: number };

  interface Window {
    L?: any;
    SwaggerUIBundle: any;
  }
  // All elements and targets of events are of HTML, and have what the modules do with them.
  interface EventTarget {
    dataset: DOMStringMap;
    value?: any;
    checked?: boolean;
  }
  interface Element extends HTMLOrSVGElement {
    hidden: boolean;
    open?: boolean;
    form?: HTMLFormElement;
    click(): void;
  }
}
