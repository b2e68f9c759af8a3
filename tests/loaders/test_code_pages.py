from loaders.code_pages import code_page, needed_encoding


def test_a_code_page_is_that_whose_letters_are_those_of_a_language():
    for encoding, texts in {
        "cp1250": [
            "Żurek, pierogi, łosoś",
            "Svíčková na smetaně, guláš",
            "Főzelék, pörkölt, túrós csusza",
            "Ciorbă, brânză, şniţel",
            "Knjižnica, Studentski dom Čakovec, Đački dom",
        ],
        "cp1254": ["Mercimek çorbası, İskender, köfte", "Merkez Kütüphane, Öğrenci İşleri", "Rektörlük, Kız Yurdu"],
        "iso8859_2": ["Żurek, pierogi, łosoś, barszcz z uszkami"],
        "cp1251": ["Главный корпус, Столовая № 1", "Київський університет"],
        **dict.fromkeys(("koi8_r", "iso8859_5"), ["Библиотека", "Котлета"]),
        "cp866": ["Общежитие"],
        "cp1253": ["Κεντρική Βιβλιοθήκη, Εστιατόριο"],
        "cp1255": ["ספריה מרכזית"],
        "cp1256": ["مكتبة الجامعة"],
        "gbk": ["图书馆", "第一食堂", "宫保鸡丁饭", "宫保鸡丁, 鱼香肉丝, 米饭"],
        "big5": ["總圖書館, 行政大樓, 體育館", "紅燒肉, 番茄炒雞蛋"],
        **dict.fromkeys(("shift_jis", "euc_jp"), ["附属図書館, 理学部一号館", "カレーライス, 鶏の唐揚げ定食"]),
        "cp1257": ["Ēdnīca, skolēnu zupa, kāpostu tīteņi", "Galvenā ēka, Bibliotēka, Sporta zāle"],
        "cp874": ["โรงอาหารกลาง, ข้าวผัดหมู"],
        "euc_kr": ["중앙도서관, 학생회관", "제육볶음, 된장찌개", "불고기덮밥"],
    }.items():
        for text in texts:
            assert code_page(text.encode(encoding)) == encoding, text


def test_text_of_western_europe_and_utf_8_need_none():
    for text in [
        "Crème brûlée, jalapeño, entrée",
        "Gemüse, Süßkartoffel",
        "Plokkfiskur með rúgbrauði, Þorskur",
        "Rødgrød med fløde",
        "Pão, feijão, açaí, maçã",
        "Filetto d’ananas con ragù, caffè, città",
        "Müller-Bräu & Café Française – “naïve” señor",
        "Plaça, cafè, això — açò",
        "Õppehoone, Söökla, Võimla",
        "Château, Gruyère, crêpe",
        "Menu",
    ]:
        assert code_page(text.encode("cp1252")) is code_page(text.encode(), "cp1252") is None, text
    for content, page in [
        ("Bœuf à 4 €, légumes à 3 €, riz à 2 €".encode("cp1252"), "cp1252"),
        ("Pâté à 5 €".encode("iso8859_15"), "iso8859_15"),
        *((name.encode("macintosh"), "macintosh") for name in ("Ärger, Äpfel", "Größe", "Hörsaal")),
        *((name.encode("cp850"), "cp850") for name in ("Käsespätzle, Rührei", "Größe")),
        ("Главный\n".encode() * 9 + "Главный\n".encode("cp1251"), None),
        ("Crème\n".encode() * 9 + "Crème\n".encode("gbk"), None),
        ("Café, purée\n".encode() + "Crêpe, gelée, rôti, Brühe, Käse\n".encode("cp1252"), None),
    ]:
        assert code_page(content, "cp1252") == page, content
    assert 'encoding = "macintosh", or "cp850" if' in needed_encoding(code_page(b"Biblioth\x8aque"))
