// The global scope of the service worker, which the library declares as that of other workers.
declare function skipWaiting(): Promise<void>;
declare const clients: Clients;
declare function addEventListener(type: "install" | "activate", listener: (event: ExtendableEvent) => void): void;
declare function addEventListener(type: "fetch", listener: (event: FetchEvent) => void): void;
